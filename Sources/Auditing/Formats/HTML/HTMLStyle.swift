/// The style of the page, the only one that its policy lets in.
enum HTMLStyle {
  static let text = """
    :root {
      color-scheme: light dark;
      --page: #f3f5f8; --card: #ffffff; --sunk: #f7f9fb; --line: #d9e0e8; --soft: #e9eef3;
      --text: #18212e; --mute: #566275; --link: #0b5cad;
      --good: #146c43; --good-soft: #e3f4ea; --good-line: #a9dcc0;
      --bad: #b3191f; --bad-soft: #fdeaea; --bad-line: #f0b4b4;
      --care: #815000; --care-soft: #fdf3dc; --care-line: #ecd08c;
      --idle: #55606f; --idle-soft: #edf0f4; --idle-line: #cbd3dc;
      --sea: #0c2c48; --sea-text: #ffffff; --sea-mute: #bcd0e2;
      --cell-right: #a8d9c2; --cell-unread: #9aa7b5; --cell-wrong: #b3191f; --ring: #18212e;
      --sea-good: #7fe0b0; --sea-bad: #ff9c99; --sea-care: #ffd479;
      --shadow: 0 1px 2px rgb(16 32 56 / .06), 0 4px 16px rgb(16 32 56 / .05);
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --page: #0b1118; --card: #131b25; --sunk: #0f1720; --line: #2a3645; --soft: #1d2733;
        --text: #e8edf4; --mute: #9dabbd; --link: #7cb8f4;
        --good: #5fd39b; --good-soft: #10291f; --good-line: #245c44;
        --bad: #ff8684; --bad-soft: #331618; --bad-line: #74302f;
        --care: #f2c14f; --care-soft: #2d230d; --care-line: #69501a;
        --idle: #a8b4c3; --idle-soft: #1c2632; --idle-line: #3a4757;
        --sea: #0f2236; --sea-text: #f2f6fb; --sea-mute: #9fb6cc;
        --cell-right: #1f5a45; --cell-unread: #566476; --cell-wrong: #ff6663; --ring: #ffffff;
        --sea-good: #5fd39b; --sea-bad: #ff8684; --sea-care: #f2c14f;
        --shadow: none;
      }
    }
    * { box-sizing: border-box; }
    html { -webkit-text-size-adjust: 100%; }
    body {
      margin: 0; background: var(--page); color: var(--text); overflow-wrap: break-word;
      font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Helvetica Neue", Arial, sans-serif;
    }
    code, .mono { font: .9em/1.45 ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", Menlo, Consolas, monospace; overflow-wrap: anywhere; }
    .number { font-variant-numeric: tabular-nums; text-align: right; white-space: nowrap; }
    h1, h2, h3, h4, p, dl, dd, ul, figure { margin: 0; padding: 0; }
    a { color: var(--link); }
    a:focus-visible, summary:focus-visible, [tabindex]:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 3px; }
    .skip { position: absolute; left: -999px; }
    .skip:focus { left: 16px; top: 12px; background: var(--card); padding: 8px 12px; z-index: 2; }
    .wide { max-width: 1120px; margin: 0 auto; padding: 0 24px; }

    .masthead { background: var(--sea); color: var(--sea-text); padding: 28px 0 64px; }
    .masthead .kicker { font-size: 13px; letter-spacing: .08em; text-transform: uppercase; color: var(--sea-mute); display: flex; gap: 10px; align-items: center; }
    .masthead h1 { font-size: 32px; line-height: 1.2; font-weight: 650; letter-spacing: -.015em; margin-top: 14px; max-width: 26em; text-wrap: balance; }
    .masthead .lead { color: var(--sea-mute); margin-top: 10px; max-width: 52em; font-size: 16px; }
    .masthead h1 { display: flex; gap: 14px; align-items: flex-start; }
    .masthead h1 .icon { margin-top: 4px; color: var(--sea-good); }
    .masthead.bad h1 .icon { color: var(--sea-bad); } .masthead.care h1 .icon { color: var(--sea-care); } .masthead.idle h1 .icon { color: var(--sea-mute); }
    .masthead h1 .mark { stroke: var(--sea); } .masthead h1 .dot { fill: var(--sea); }
    .icon { flex: none; }
    .ink { fill: currentColor; }
    .mark { fill: none; stroke: var(--card); stroke-width: 1.9; stroke-linecap: round; stroke-linejoin: round; }
    .dot { fill: var(--card); }
    .rim { fill: none; stroke: currentColor; stroke-width: 1.7; stroke-linecap: round; }
    .light { color: var(--mute); font-weight: 400; }
    .notice { margin-top: 16px; padding: 16px 24px; border-left: 4px solid var(--idle); }
    .notice.care { border-left-color: var(--care); }
    .notice h2 { font-size: 16px; display: flex; gap: 10px; align-items: center; }
    .notice.care h2 { color: var(--care); }
    .notice ul { padding-left: 28px; margin-top: 6px; }
    .notice p { margin-top: 6px; }
    .more { padding: 10px 24px 16px; color: var(--mute); font-size: 13.5px; overflow-wrap: anywhere; }
    main.wide { margin-top: -44px; padding-bottom: 40px; position: relative; }

    .card { background: var(--card); border: 1px solid var(--line); border-radius: 12px; box-shadow: var(--shadow); }
    .axes { display: grid; grid-template-columns: repeat(3, 1fr); gap: 16px; }
    .axis { padding: 20px 24px 22px; border-top: 4px solid var(--idle); }
    .axis.good { border-top-color: var(--good); }
    .axis.bad { border-top-color: var(--bad); }
    .axis.care { border-top-color: var(--care); }
    .axis h2 { margin: 0; font-size: 13px; letter-spacing: .06em; text-transform: uppercase; color: var(--mute); font-weight: 600; }
    .axis .answer { font-size: 19px; line-height: 1.3; font-weight: 650; letter-spacing: -.01em; margin-top: 6px; display: flex; align-items: center; gap: 10px; }
    .axis .answer svg { flex: none; }
    .axis p { color: var(--mute); margin-top: 6px; }
    .good .answer, .good-text { color: var(--good); }
    .bad .answer, .bad-text { color: var(--bad); }
    .care .answer, .care-text { color: var(--care); }
    .idle .answer, .idle-text { color: var(--idle); }

    .tiles { display: grid; grid-template-columns: repeat(4, 1fr); margin-top: 16px; }
    .tiles > div { padding: 16px 24px; border-left: 1px solid var(--line); }
    .tiles > div:first-child { border-left: 0; }
    .tiles dt { color: var(--mute); font-size: 13px; }
    .tiles dd { font-size: 22px; font-weight: 600; font-variant-numeric: tabular-nums; letter-spacing: -.01em; }
    .tiles dd small { font-size: 13px; font-weight: 400; color: var(--mute); letter-spacing: 0; display: block; }

    main > section:not(.card) > h2 { font-size: 20px; letter-spacing: -.01em; margin: 36px 0 12px; }
    .note { color: var(--mute); }
    table { border-collapse: collapse; width: 100%; }
    caption { text-align: left; color: var(--mute); padding: 14px 24px 8px; font-size: 14px; }
    th { text-align: left; font-size: 12.5px; color: var(--mute); font-weight: 600; padding: 8px 12px; border-bottom: 1px solid var(--line); white-space: nowrap; }
    td { padding: 10px 12px; border-bottom: 1px solid var(--soft); vertical-align: top; }
    th.number { text-align: right; }
    tr > :first-child { padding-left: 24px; }
    tr > :last-child { padding-right: 24px; }
    tbody tr:last-child > td { border-bottom: 0; }
    .scroll { overflow-x: auto; }
    tr:target > td { background: var(--care-soft); }

    li, dd, p { overflow-wrap: anywhere; }
    .badge { display: inline-flex; align-items: center; gap: 6px; border: 1px solid var(--idle-line); background: var(--idle-soft); color: var(--idle); border-radius: 999px; padding: 2px 10px 2px 7px; font-size: 13px; font-weight: 600; white-space: nowrap; }
    .badge.good { border-color: var(--good-line); background: var(--good-soft); color: var(--good); }
    .badge.bad { border-color: var(--bad-line); background: var(--bad-soft); color: var(--bad); }
    .badge.care { border-color: var(--care-line); background: var(--care-soft); color: var(--care); }
    .badge svg { flex: none; }
    .tag { border: 1px solid var(--line); border-radius: 4px; padding: 1px 7px; font-size: 12px; color: var(--mute); font-weight: 600; white-space: nowrap; }

    .version { margin-bottom: 20px; overflow: hidden; }
    .version > header { padding: 20px 24px 16px; display: flex; flex-wrap: wrap; gap: 8px 14px; align-items: center; }
    .version h3 { font-size: 18px; letter-spacing: -.005em; overflow-wrap: anywhere; }
    .version header .badges { margin-left: auto; display: flex; gap: 8px; flex-wrap: wrap; }
    .version header dl { flex-basis: 100%; display: flex; flex-wrap: wrap; gap: 2px 24px; color: var(--mute); font-size: 13.5px; }
    .version header dl div { display: flex; gap: 6px; min-width: 0; }
    .version header dl dt { flex: none; }
    .version header dl dd { color: var(--text); }
    .version .part { border-top: 1px solid var(--line); }
    .version .part > h4 { padding: 14px 24px 4px; font-size: 14px; }
    .values { display: grid; grid-template-columns: auto 1fr; gap: 0 8px; font-size: 13.5px; }
    .values dd { min-width: 0; }
    .values dt { color: var(--mute); }
    .meaning { color: var(--mute); font-size: 13.5px; margin-top: 2px; }

    .map { padding: 16px 24px 20px; border-top: 1px solid var(--line); }
    .map h4 { font-size: 15px; overflow-wrap: anywhere; }
    .map p { font-size: 13.5px; }
    .chunks { display: block; width: 100%; min-width: 640px; height: auto; margin-top: 10px; }
    p.legend { display: flex; flex-wrap: wrap; gap: 4px 20px; color: var(--mute); font-size: 13px; margin-top: 8px; }
    .legend span { display: inline-flex; gap: 6px; align-items: center; }
    .right { fill: var(--cell-right); } .unread { fill: none; stroke: var(--cell-unread); } .wrong { fill: var(--cell-wrong); }
    .ring { fill: none; stroke: var(--ring); stroke-width: 1.8; pointer-events: all; }
    .label { fill: var(--mute); font: 11px system-ui, "Segoe UI", Roboto, "Noto Sans", Arial, sans-serif; }
    .label.here { fill: var(--bad); font-weight: 700; }
    .flag { fill: var(--cell-wrong); }
    .guide { fill: none; stroke: var(--cell-wrong); stroke-opacity: .45; }
    a.cell:focus .ring, a.cell:hover .ring { stroke-width: 3; }
    a.cell:focus { outline: none; }
    a.cell:focus-visible .ring { stroke: var(--link); stroke-width: 4; }

    details { border-top: 1px solid var(--line); }
    summary { cursor: pointer; padding: 12px 24px; font-weight: 600; font-size: 14px; }
    details > .map { border-top: 1px solid var(--soft); }
    .facts-list { padding: 20px 24px; }
    .facts-list div { display: grid; grid-template-columns: 130px 1fr; gap: 0 16px; padding: 3px 0; }
    .facts-list dt { color: var(--mute); }
    .facts-list dd { min-width: 0; overflow-wrap: anywhere; }
    footer { color: var(--mute); font-size: 13px; padding: 8px 0 40px; }
    .columns { display: grid; grid-template-columns: 1fr 1fr; gap: 18px 36px; padding: 20px 24px; }
    .columns p { color: var(--mute); }
    .findings td:nth-child(2) { min-width: 240px; } .findings .tag { margin-left: 8px; }
    .findings td:nth-child(3) { min-width: 150px; }
    td p.meaning { max-width: 46em; }
    tbody th { font-size: inherit; color: inherit; font-weight: 600; border-bottom: 1px solid var(--soft); white-space: normal; overflow-wrap: break-word; min-width: 8em; vertical-align: top; padding: 10px 12px 10px 24px; }
    tbody tr:last-child > th { border-bottom: 0; }
    tr:target > th { background: var(--care-soft); }
    .columns h3 { font-size: 14px; margin-bottom: 4px; }
    @media screen and (max-width: 760px) {
      .axes, .columns { grid-template-columns: 1fr; }
      .facts-list div { grid-template-columns: 1fr; }
      .tiles { grid-template-columns: 1fr 1fr; }
      .tiles > div:nth-child(odd) { border-left: 0; }
      .masthead h1 { font-size: 25px; }
      .version header .badges { margin-left: 0; }
      .wide { padding: 0 14px; }
    }
    @media print {
      :root {
        color-scheme: light;
        --page: #fff; --card: #fff; --sunk: #fff; --line: #c9d1da; --soft: #e3e8ee; --text: #000; --mute: #444d59; --link: #000;
        --good: #0f5a37; --good-soft: #fff; --good-line: #0f5a37; --bad: #9c1016; --bad-soft: #fff; --bad-line: #9c1016;
        --care: #6b4200; --care-soft: #fff; --care-line: #6b4200; --idle: #444d59; --idle-soft: #fff; --idle-line: #8a94a0;
        --sea: #fff; --sea-text: #000; --sea-mute: #444d59;
        --cell-right: #cfe6da; --cell-unread: #7d8894; --cell-wrong: #b3191f; --ring: #000; --sea-good: #0f5a37; --sea-bad: #9c1016; --sea-care: #6b4200; --shadow: none;
      }
      @page { margin: 14mm; }
      body { font-size: 10pt; }
      * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
      .skip { display: none; }
      .wide { max-width: none; padding: 0; }
      .masthead { padding: 0 0 12px; border-bottom: 2px solid #000; }
      main.wide { margin-top: 16px; }
      .axis { padding: 12px 14px; }
      .axis .answer { font-size: 13pt; }
      .tiles > div { padding: 10px 14px; }
      .chunks { min-width: 0; }
      .findings td:nth-child(2) { min-width: 0; } .findings td:nth-child(3) { min-width: 110px; }
      td, th, tbody th { padding: 5px 7px; } tr > :first-child { padding-left: 14px; } tr > :last-child { padding-right: 14px; }
      .badge { font-size: 8.5pt; white-space: normal; border-radius: 8px; }
      thead { break-inside: avoid; break-after: avoid; }
      .card { border-radius: 4px; }
      .map, .axis, tr, .tiles { break-inside: avoid; }
      h2, h3, h4 { break-after: avoid; }
    }
    """
}
