"""Line charts as SVG: no library, legible on light and on dark ground, and without colour."""
import math
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 760, 420
LEFT, RIGHT, TOP, BOTTOM = 64, 190, 64, 56
DASHES = ["", "7 4", "2 3", "9 3 2 3", "14 4", "4 6"]
LIGHT = ["#0b62c4", "#b3400f", "#2f7d32", "#7b3fa0", "#8a6d00", "#444444"]
DARK = ["#6cb2ff", "#ff9d66", "#7fd483", "#d0a2f0", "#e3c65b", "#cccccc"]


def style():
    """Colours for a light ground, and for a dark one where the reader's screen is dark."""

    def rules(ground, text, faint, colours):
        lines = [f".ground{{fill:{ground}}} text{{fill:{text}}} .grid{{stroke:{faint}}} .axis{{stroke:{text}}}"]
        lines += [f".s{index}{{stroke:{colour}}} .d{index}{{fill:{colour}}}" for index, colour in enumerate(colours)]
        return " ".join(lines)

    light = rules("#ffffff", "#1b1f24", "#d9dde2", LIGHT)
    dark = rules("#15191e", "#e6e9ed", "#39414a", DARK)
    fonts = "text{font:13px system-ui,'Helvetica Neue',Arial,sans-serif} .title{font-size:16px;font-weight:600}"
    lines = ".line{fill:none;stroke-width:2} .grid,.axis{stroke-width:1}"
    return f"<style>{fonts} {lines} {light} @media (prefers-color-scheme:dark){{{dark}}}</style>"


def steps(top):
    """Round numbers from 0 to a little more than `top`, five or so."""
    raw = top / 5
    unit = 10 ** math.floor(math.log10(raw))
    step = next(factor * unit for factor in (1, 2, 2.5, 5, 10) if factor * unit >= raw)
    return [step * index for index in range(math.ceil(top / step) + 1)]


class Chart:
    """Series over a logarithmic axis; each is a name with pairs of place and value."""

    def __init__(self, title, subtitle, horizontal, vertical, ticks, series):
        self.title, self.subtitle = title, subtitle
        self.horizontal, self.vertical = horizontal, vertical
        self.ticks = ticks
        self.series = series
        places = [place for place, _ in ticks]
        self.low, self.high = math.log(min(places)), math.log(max(places))
        self.levels = steps(max(value for points in series.values() for _, value in points))

    def x(self, place):
        share = (math.log(place) - self.low) / ((self.high - self.low) or 1)
        return LEFT + 16 + share * (WIDTH - LEFT - RIGHT - 32)

    def y(self, value):
        return HEIGHT - BOTTOM - value / self.levels[-1] * (HEIGHT - TOP - BOTTOM)

    def axes(self):
        for level in self.levels:
            y = self.y(level)
            kind = "axis" if level == 0 else "grid"
            yield f'<line class="{kind}" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>'
            yield f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{level:g}</text>'
        for place, label in self.ticks:
            x = self.x(place)
            bottom = HEIGHT - BOTTOM
            yield f'<line class="axis" x1="{x:.1f}" x2="{x:.1f}" y1="{bottom}" y2="{bottom + 5}"/>'
            yield f'<text x="{x:.1f}" y="{bottom + 20}" text-anchor="middle">{escape(label)}</text>'
        middle = (LEFT + WIDTH - RIGHT) / 2
        yield f'<text x="{middle}" y="{HEIGHT - 12}" text-anchor="middle">{escape(self.horizontal)}</text>'
        yield f'<text transform="translate(16 {(TOP + HEIGHT - BOTTOM) / 2}) rotate(-90)" text-anchor="middle">' + (
            f"{escape(self.vertical)}</text>"
        )

    def lines(self):
        """The series, each with its name at its last point, moved apart where they would overlap."""
        names = []
        for index, (name, points) in enumerate(self.series.items()):
            path = " ".join(f"{self.x(place):.1f},{self.y(value):.1f}" for place, value in points)
            dash = f' stroke-dasharray="{DASHES[index]}"' if DASHES[index] else ""
            yield f'<polyline class="line s{index}" points="{path}"{dash}/>'
            for place, value in points:
                yield f'<circle class="d{index}" cx="{self.x(place):.1f}" cy="{self.y(value):.1f}" r="3.5"/>'
            names.append([self.y(points[-1][1]), index, name])
        names.sort()
        for above, below in zip(names, names[1:]):
            below[0] = max(below[0], above[0] + 16)
        over = max(0, names[-1][0] - (HEIGHT - BOTTOM))
        for y, index, name in names:
            yield f'<text class="d{index}" x="{WIDTH - RIGHT + 8}" y="{y - over + 4:.1f}">{escape(name)}</text>'

    def text(self):
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" '
            f'height="{HEIGHT}" role="img">',
            f"<title>{escape(self.title)}</title>",
            style(),
            f'<rect class="ground" width="{WIDTH}" height="{HEIGHT}"/>',
            f'<text class="title" x="16" y="26">{escape(self.title)}</text>',
            f'<text x="16" y="46">{escape(self.subtitle)}</text>',
            *self.axes(),
            *self.lines(),
            "</svg>",
        ]
        return "\n".join(parts) + "\n"
