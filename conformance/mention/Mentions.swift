// Mentions in Swift: reads markup, and cuts a text of the API into plain parts and mentions. Offsets of the API count UTF-16 units, as
// NSString does. The test reads markup from stdin, cases separated by U+001E, and compares the output with parse.json.

import Foundation

struct Entity {
  let kind: String
  let attributes: [String: String]
  let start: Int
  let end: Int
}

struct Segment {
  let text: String
  let entity: Entity?
}

private let kinds = "user|topic|entity|link"
private let tag = try! NSRegularExpression(
  pattern: "<(\(kinds))((?:[ \\t\\n\\r]+[a-z]+=\"[^\"<]+\")*)[ \\t\\n\\r]*>|</(\(kinds))>")
private let attribute = try! NSRegularExpression(pattern: "([a-z]+)=\"([^\"<]+)\"")
private let attributeNames = [
  "user": ["username", "id"], "topic": ["id"], "entity": ["id"], "link": ["href", "id"],
]
private let required = ["user": "username", "link": "href"]

/// `&amp;` is last: what it leaves is not read again.
private func unescape(_ text: String) -> String {
  text.replacingOccurrences(of: "&lt;", with: "<")
    .replacingOccurrences(of: "&gt;", with: ">")
    .replacingOccurrences(of: "&quot;", with: "\"")
    .replacingOccurrences(of: "&amp;", with: "&")
}

private func units(_ text: String) -> Int { (text as NSString).length }

/// The attributes of a start tag; nil if the tag is text.
private func attributesOf(_ kind: String, _ text: String) -> [String: String]? {
  var found: [String: String] = [:]
  let all = text as NSString
  for match in attribute.matches(in: text, range: NSRange(location: 0, length: all.length)) {
    let name = all.substring(with: match.range(at: 1))
    if found[name] != nil || !(attributeNames[kind] ?? []).contains(name) { return nil }
    found[name] = unescape(all.substring(with: match.range(at: 2)))
  }
  if let name = required[kind], found[name] == nil { return nil }
  return found
}

func parse(_ from: String) -> (text: String, entities: [Entity]) {
  let markup = from.replacingOccurrences(of: "\0", with: " ") as NSString
  func part(_ start: Int, _ end: Int) -> String {
    markup.substring(with: NSRange(location: start, length: end - start))
  }
  var text = ""
  var entities: [Entity] = []
  var opened: (kind: String, attributes: [String: String], from: Int, inner: Int)?
  var done = 0
  var at = 0
  while let match = tag.firstMatch(
    in: markup as String, range: NSRange(location: at, length: markup.length - at))
  {
    let start = match.range.location
    at = start + match.range.length
    if match.range(at: 1).location != NSNotFound {
      let kind = markup.substring(with: match.range(at: 1))
      if let attributes = attributesOf(kind, markup.substring(with: match.range(at: 2))) {
        opened = (kind, attributes, start, at)
      } else {
        at = start + 1
      }
    } else if let open = opened, open.kind == markup.substring(with: match.range(at: 3)) {
      if start > open.inner {
        text += unescape(part(done, open.from))
        let begin = units(text)
        text += unescape(part(open.inner, start))
        entities.append(
          Entity(kind: open.kind, attributes: open.attributes, start: begin, end: units(text)))
        done = at
      }
      opened = nil
    }
  }
  return (text + unescape(part(done, markup.length)), entities)
}

/// The parts of a text in order, each with its entity or nil.
func segments(_ text: String, _ entities: [Entity]) -> [Segment] {
  let all = text as NSString
  var parts: [Segment] = []
  var done = 0
  func add(_ start: Int, _ end: Int, _ entity: Entity?) {
    if start < end {
      let range = NSRange(location: start, length: end - start)
      parts.append(Segment(text: all.substring(with: range), entity: entity))
    }
  }
  for entity in entities.sorted(by: { $0.start < $1.start }) {
    add(done, entity.start, nil)
    add(entity.start, entity.end, entity)
    done = entity.end
  }
  add(done, all.length, nil)
  return parts
}

let input = String(decoding: FileHandle.standardInput.readDataToEndOfFile(), as: UTF8.self)
let output = input.components(separatedBy: "\u{1e}").map { markup -> String in
  let content = parse(markup)
  let joined = segments(content.text, content.entities).map { $0.text }.joined()
  precondition(joined == content.text)
  let entities = content.entities.map { entity -> String in
    let names = ["username", "href", "id"].map { entity.attributes[$0] ?? "" }
    return ([entity.kind] + names + [String(entity.start), String(entity.end)])
      .joined(separator: "\u{1d}")
  }
  return ([content.text] + entities).joined(separator: "\u{1f}")
}
FileHandle.standardOutput.write(output.joined(separator: "\u{1e}").data(using: .utf8)!)
