import TestSupport
import Testing

/// An interactive shell on a terminal of its own, into which a line and a tabulator are typed.
struct ShellLine {
  /// What the shell is told before the line; empty for a shell as it is.
  let setup: String
  let shell: String
  /// The environment and the folder.
  let surroundings: Tool

  /// Types `line` and a tabulator; returns the line as it then stands.
  ///
  /// Every step waits for what the shell shows: its prompt, and then the line between marks, which a key that is bound
  /// for it prints.
  func completed(_ line: String) async throws -> String {
    var python = try #require(Tool.installed("python3"))
    python.environment = surroundings.environment
    python.folder = surroundings.folder
    python.timeout = .seconds(300)
    let outcome = try await python.run(["-c", Self.program, shell, setup, line])
    try #require(outcome.ending == .exited(0), "\(outcome.errors)")
    return outcome.output
  }

  private static let program = #"""
    import os, pty, sys

    shell, setup, line = sys.argv[1:]
    command, key = {
        "bash": (
            ["bash", "--noprofile", "--norc", "-i"],
            r"""show() { printf '<%s%s%s>' '<' "$READLINE_LINE" '>'; }; bind -x '"\C-g": show'; PS1='pro''mpt: '""",
        ),
        "zsh": (
            ["zsh", "-f", "-i"],
            r"""show() { print -rn -- "<""<$BUFFER>"">" }; zle -N show; bindkey '^G' show; PS1='pro''mpt: '""",
        ),
    }[shell]
    child, terminal = pty.fork()
    if child == 0:
        os.execvp(command[0], command)
    seen = b""

    def wait_for(mark):
        global seen
        while mark not in seen:
            try:
                more = os.read(terminal, 65536)
            except OSError:
                more = b""
            if not more:
                sys.exit("the shell ended: " + seen.decode(errors="replace"))
            seen += more
        found, seen = seen.split(mark, 1)
        return found.decode()

    os.write(terminal, (setup + "\n" + key + "\n").encode())
    wait_for(b"prompt: ")
    os.write(terminal, (line + "\t\x07").encode())
    wait_for(b"<<")
    sys.stdout.write(wait_for(b">>"))
    os.kill(child, 9)
    os.waitpid(child, 0)
    """#
}
