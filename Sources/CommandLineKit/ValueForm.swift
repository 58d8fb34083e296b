/// What may stand for a value, as far as a shell can offer it.
///
/// Help states it where the word in capitals does not tell, which is so for closed sets of words alone.
package enum ValueForm: Hashable, Sendable {
  /// Anything: nothing is offered.
  case text
  case file, folder
  /// One of these words and no other, which a test holds against what the command takes.
  case words([String])
  /// These words, among others.
  case known([String])
  /// A model in the store.
  case model
  /// `MODEL@VERSION` in the store.
  case version
  /// A model, or one of its versions.
  case modelOrVersion
  /// Another program and its arguments.
  case program

  /// Reads the form off the word in capitals that stands for a value in the help.
  init(placeholder: String) {
    self =
      switch placeholder {
      case "FILE", "PATH", "MANIFEST", "PUB", "KEY", "WHAT", "PROGRAM", "OLD", "NEW": .file
      case "DIR", "FOLDER": .folder
      case "MODEL": .model
      case "MODEL@VERSION": .version
      case "MODEL[@VERSION]": .modelOrVersion
      case "COMMAND": .program
      default: .text
      }
  }
}
