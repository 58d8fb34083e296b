/// A shell that can ask a tool how a command line goes on.
enum CompletionShell: String, CaseIterable, Sendable {
  case bash, zsh, fish

  /// The completion file of `tool`, whose name has lower-case letters and hyphens only.
  func file(for tool: String) -> String {
    let name = String(
      decoding: tool.utf8.map { $0 == UInt8(ascii: "-") ? UInt8(ascii: "_") : $0 },
      as: UTF8.self
    )
    let template =
      switch self {
      case .bash: Self.bashFile
      case .zsh: Self.zshFile
      case .fish: Self.fishFile
      }
    return Self.filled(template, tool: tool, name: name)
  }

  private static func filled(_ template: String, tool: String, name: String) -> String {
    var text = ""
    for part in template.split(separator: "@", omittingEmptySubsequences: false) {
      switch part {
      case "TOOL": text += tool
      case "NAME": text += name
      case "AT": text += "@"
      default: text += part
      }
    }
    return text
  }

  // Bash cuts words at the characters of COMP_WORDBREAKS, as = and the sign between model and version, and replaces only
  // the last piece; so the pieces are put together for the tool, and what stands before the last one is taken off again.
  private static let bashFile = ##"""
    # bash completion of @TOOL@; source it, or put it where bash-completion looks for it
    _@NAME@() {
      local rest=${COMP_LINE:0:COMP_POINT} words=() piece tool i
      for ((i = 0; i <= COMP_CWORD; i++)); do
        piece=${COMP_WORDS[i]}
        if ((i == 0)) || [[ $rest == [[:space:]]* || -z $rest ]]; then
          rest=${rest#"${rest%%[![:space:]]*}"}
          words+=("")
        fi
        if ((i == COMP_CWORD)); then piece=${rest:0:${#piece}}; fi
        rest=${rest#"$piece"}
        words[${#words[@AT@]} - 1]+=$piece
      done
      for i in "${!words[@AT@]}"; do
        piece=${words[i]}
        case $piece in
          \"*) piece=${piece#\"} piece=${piece%\"} ;;
          \'*) piece=${piece#\'} piece=${piece%\'} ;;
          *) piece=${piece//\\/} ;;
        esac
        if [[ $piece == '~/'* ]]; then piece=$HOME/${piece#'~/'}; fi
        words[i]=$piece
      done
      tool=${words[0]}
      local last=${words[${#words[@AT@]} - 1]}
      local kept=${last%"${2-}"} candidate
      COMPREPLY=()
      while IFS= read -r candidate; do
        candidate=${candidate%%$'\t'*}
        case $candidate in
          :files | :folders)
            # Bash itself completes names of files best: with quotes, tildes and slashes.
            if [[ $candidate == :files ]]; then compopt -o default; else compopt -o dirnames; fi 2>/dev/null
            ;;
          :programs)
            while IFS= read -r candidate; do COMPREPLY+=("$candidate"); done < <(compgen -c -- "${2-}")
            compopt -o default 2>/dev/null
            ;;
          *) COMPREPLY+=("${candidate#"$kept"}") ;;
        esac
      done < <(SEALIFT_JSON='' SEALIFT_QUIET='' SEALIFT_VERBOSE='' \
        "$tool" completions candidates -- "${words[@AT@]:1}" 2>/dev/null)
    }
    complete -F _@NAME@ @TOOL@

    """##

  private static let zshFile = ##"""
    #compdef @TOOL@
    # zsh completion of @TOOL@; put it as _@TOOL@ into a folder of $fpath, or source it after compinit
    _@NAME@() {
      local -a lines plain described own
      local line
      lines=("${(@AT@f)$(SEALIFT_JSON= SEALIFT_QUIET= SEALIFT_VERBOSE= \
        ${(Q)words[1]/#\~\//$HOME/} completions candidates -- "${(@AT@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}")
      for line in $lines; do
        case $line in
          :*) own+=(${line#:}) ;;
          *$'\t'*) described+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}") ;;
          ?*) plain+=("$line") ;;
        esac
      done
      if (( $#described )); then _describe -t words 'word' described; fi
      if (( $#plain )); then compadd -a plain; fi
      if (( $#own )) && [[ $PREFIX == --*=* ]]; then compset -P 1 '*='; fi
      case $own in
        files) _files ;;
        folders) _files -/ ;;
        programs) _command_names -e ;;
      esac
      return 0
    }
    if [[ ${funcstack[1]-} == _@TOOL@ ]]; then _@NAME@ "$@AT@"; else compdef _@NAME@ @TOOL@; fi

    """##

  private static let fishFile = ##"""
    # fish completion of @TOOL@; put it as @TOOL@.fish into ~/.config/fish/completions, or source it
    function __@NAME@_candidates
        set -l words (commandline -opc) (commandline -ct)
        set -l tool (string replace -r '^~/' "$HOME/" -- $words[1])
        set -l last $words[-1]
        for line in (SEALIFT_JSON= SEALIFT_QUIET= SEALIFT_VERBOSE= $tool completions candidates -- $words[2..-1] 2>/dev/null)
            switch $line
                case :files :folders
                    set -l option (string match -r -- '^--[^=]*=' $last)
                    set -l value (string replace -r -- '^--[^=]*=' '' $last)
                    if test $line = :folders
                        printf "$option%s\n" (__fish_complete_directories $value '')
                    else
                        printf "$option%s\n" (__fish_complete_path $value '')
                    end
                case :programs
                    __fish_complete_command
                case '*'
                    printf '%s\n' $line
            end
        end
    end
    complete -c @TOOL@ -f -a '(__@NAME@_candidates)'

    """##
}
