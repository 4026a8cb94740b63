// Do the fixtures suffice to write a client in another language? This file was written from
// conformance/mention/README.md: it reads, prints and validates mentions, with a small JSON reader, and checks itself:
//
//   java Mentions.java parse.json print.json validate.json

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

public class Mentions {
  static final Map<String, List<String>> ATTRIBUTES = Map.of(
      "user", List.of("username", "id"), "topic", List.of("id"), "entity", List.of("id"), "link", List.of("href", "id"));
  static final Map<String, String> REQUIRED = Map.of("user", "username", "link", "href");
  static final String[][] REFERENCES = {{"&amp;", "&"}, {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}};

  record Content(String text, List<Map<String, Object>> entities, String unit) {}

  // --- reading ---

  record Tag(String kind, Map<String, String> attributes, int from, int end) {}

  static Content parse(String from) {
    String markup = from.replace('\0', ' ');
    StringBuilder text = new StringBuilder();
    List<Map<String, Object>> entities = new ArrayList<>();
    Tag open = null;
    int done = 0;
    int at = markup.indexOf('<');
    while (at >= 0) {
      Tag start = startTag(markup, at);
      Tag close = start == null ? endTag(markup, at) : null;
      int next = at + 1;
      if (start != null) {
        open = start;
        next = start.end;
      } else if (close != null) {
        next = close.end;
        if (open != null && open.kind.equals(close.kind)) {
          if (at > open.end) {
            text.append(unescape(markup.substring(done, open.from)));
            Map<String, Object> entity = new LinkedHashMap<>();
            entity.put("kind", open.kind);
            entity.putAll(open.attributes);
            entity.put("start", (double) text.length());
            text.append(unescape(markup.substring(open.end, at)));
            entity.put("end", (double) text.length());
            entities.add(entity);
            done = close.end;
          }
          open = null;
        }
      }
      at = markup.indexOf('<', next);
    }
    text.append(unescape(markup.substring(done)));
    return new Content(text.toString(), entities, "utf16");
  }

  static String kindAt(String markup, int at) {
    for (String kind : ATTRIBUTES.keySet()) if (markup.startsWith(kind, at)) return kind;
    return null;
  }

  static Tag startTag(String markup, int from) {
    String kind = kindAt(markup, from + 1);
    if (kind == null) return null;
    Map<String, String> attributes = new LinkedHashMap<>();
    int at = from + 1 + kind.length();
    while (true) {
      int space = at;
      while (at < markup.length() && " \t\n\r".indexOf(markup.charAt(at)) >= 0) at++;
      if (at < markup.length() && markup.charAt(at) == '>') {
        String required = REQUIRED.get(kind);
        return required != null && !attributes.containsKey(required) ? null : new Tag(kind, attributes, from, at + 1);
      }
      if (at == space) return null;
      String name = null;
      for (String known : ATTRIBUTES.get(kind)) if (markup.startsWith(known + "=\"", at)) name = known;
      if (name == null || attributes.containsKey(name)) return null;
      int value = at + name.length() + 2;
      int quote = value;
      while (quote < markup.length() && markup.charAt(quote) != '"' && markup.charAt(quote) != '<') quote++;
      if (quote == value || quote == markup.length() || markup.charAt(quote) == '<') return null;
      attributes.put(name, unescape(markup.substring(value, quote)));
      at = quote + 1;
    }
  }

  static Tag endTag(String markup, int from) {
    String kind = markup.startsWith("</", from) ? kindAt(markup, from + 2) : null;
    if (kind == null || !markup.startsWith(">", from + 2 + kind.length())) return null;
    return new Tag(kind, Map.of(), from, from + 3 + kind.length());
  }

  static String unescape(String markup) {
    StringBuilder text = new StringBuilder();
    for (int at = 0; at < markup.length(); ) {
      int step = 0;
      for (String[] reference : REFERENCES) {
        if (markup.startsWith(reference[0], at)) {
          text.append(reference[1]);
          step = reference[0].length();
        }
      }
      if (step == 0) text.append(markup.charAt(at));
      at += Math.max(step, 1);
    }
    return text.toString();
  }

  // --- printing ---

  static String print(Content from) {
    Content content = new Content(from.text.replace('\0', ' '), from.entities, from.unit);
    List<Map<String, Object>> good = new ArrayList<>();
    for (Map<String, Object> entity : content.entities) {
      if (validate(content.text, List.of(entity), content.unit).isEmpty()) good.add(entity);
    }
    good.sort((a, b) -> number(a, "start") != number(b, "start")
        ? Long.compare(number(a, "start"), number(b, "start"))
        : Long.compare(number(a, "end"), number(b, "end")));
    StringBuilder markup = new StringBuilder();
    long behind = 0;
    int done = 0;
    for (Map<String, Object> entity : good) {
      if (number(entity, "start") < behind) continue;
      behind = number(entity, "end");
      int start = utf16(content.text, number(entity, "start"), content.unit);
      int end = utf16(content.text, behind, content.unit);
      String kind = (String) entity.get("kind");
      markup.append(escape(content.text.substring(done, start))).append('<').append(kind);
      for (String name : ATTRIBUTES.get(kind)) {
        if (entity.containsKey(name)) markup.append(' ' + name + "=\"" + escape((String) entity.get(name)) + '"');
      }
      markup.append('>').append(escape(content.text.substring(start, end))).append("</" + kind + '>');
      done = end;
    }
    return markup.append(escape(content.text.substring(done))).toString();
  }

  static String escape(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;");
  }

  // --- units ---

  static long width(int point, String unit) {
    if (unit.equals("codepoint")) return 1;
    if (unit.equals("utf16")) return Character.charCount(point);
    return point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  }

  static long length(String text, String unit) {
    return text.codePoints().mapToLong(point -> width(point, unit)).sum();
  }

  /** The position in UTF-16 of one in a unit, or -1 inside a character. */
  static int utf16(String text, long wanted, String unit) {
    long here = 0;
    int at = 0;
    while (here < wanted && at < text.length()) {
      int point = text.codePointAt(at);
      here += width(point, unit);
      at += Character.charCount(point);
    }
    return here == wanted ? at : -1;
  }

  // --- validating ---

  static Set<String> validate(String text, List<?> entities, String unit) {
    Set<String> problems = new TreeSet<>();
    if (text.indexOf('\0') >= 0) problems.add("text nul");
    if (!List.of("utf16", "utf8", "codepoint").contains(unit)) {
      problems.add("unit unknown-unit");
      return problems;
    }
    List<long[]> ranges = new ArrayList<>();
    for (int index = 0; index < entities.size(); index++) {
      String path = "entities[" + index + "]";
      if (!(entities.get(index) instanceof Map<?, ?> entity)) {
        problems.add(path + " not-an-entity");
        continue;
      }
      attributes(entity, path, problems);
      boolean good = true;
      for (String side : List.of("start", "end")) {
        boolean whole = entity.get(side) instanceof Double value && value >= 0 && value == Math.rint(value);
        if (!whole) problems.add(path + "." + side + " bad-offset");
        else if (number(entity, side) > length(text, unit)) problems.add(path + "." + side + " out-of-range");
        else continue;
        good = false;
      }
      if (!good) continue;
      long start = number(entity, "start");
      long end = number(entity, "end");
      if (end <= start) {
        problems.add(path + ".end empty-slice");
        continue;
      }
      ranges.add(new long[] {start, end, index});
      if (utf16(text, start, unit) < 0) problems.add(path + ".start inside-character");
      if (utf16(text, end, unit) < 0) problems.add(path + ".end inside-character");
    }
    ranges.sort((a, b) -> a[0] != b[0] ? Long.compare(a[0], b[0])
        : a[1] != b[1] ? Long.compare(b[1], a[1]) : Long.compare(a[2], b[2]));
    long[] widest = null;
    for (long[] range : ranges) {
      if (widest != null && range[0] < widest[1]) {
        String code = range[1] <= widest[1] ? "nesting" : "overlap";
        problems.add("entities[" + Math.max(range[2], widest[2]) + "] " + code);
      }
      if (widest == null || range[1] > widest[1]) widest = range;
    }
    return problems;
  }

  static void attributes(Map<?, ?> entity, String path, Set<String> problems) {
    Object kind = entity.get("kind");
    if (!(kind instanceof String) || !ATTRIBUTES.containsKey(kind)) {
      problems.add(path + ".kind unknown-kind");
      return;
    }
    for (Map.Entry<?, ?> property : entity.entrySet()) {
      String name = (String) property.getKey();
      if (Set.of("kind", "start", "end").contains(name)) continue;
      if (!ATTRIBUTES.get(kind).contains(name)) problems.add(path + "." + name + " unknown-attribute");
      else if (!(property.getValue() instanceof String value) || value.isEmpty()) {
        problems.add(path + "." + name + " bad-attribute");
      } else if (value.indexOf('\0') >= 0) {
        problems.add(path + "." + name + " nul");
      }
    }
    String required = REQUIRED.get(kind);
    if (required != null && !entity.containsKey(required)) problems.add(path + "." + required + " missing-attribute");
  }

  static long number(Map<?, ?> entity, String name) {
    return ((Double) entity.get(name)).longValue();
  }

  // --- JSON ---

  static class Json {
    final String source;
    int at = 0;

    Json(String source) {
      this.source = source;
    }

    char peek() {
      while (Character.isWhitespace(source.charAt(at))) at++;
      return source.charAt(at);
    }

    boolean take(char wanted) {
      if (peek() != wanted) return false;
      at++;
      return true;
    }

    Object value() {
      if (take('{')) {
        Map<String, Object> object = new LinkedHashMap<>();
        while (!take('}')) {
          peek();
          at++;
          String name = string();
          take(':');
          object.put(name, value());
          take(',');
        }
        return object;
      }
      if (take('[')) {
        List<Object> array = new ArrayList<>();
        while (!take(']')) {
          array.add(value());
          take(',');
        }
        return array;
      }
      if (take('"')) return string();
      int from = at;
      while ("{}[],:\" \n\r\t".indexOf(source.charAt(at)) < 0) at++;
      String word = source.substring(from, at);
      return word.equals("null") ? null : word.equals("true") ? (Object) true
          : word.equals("false") ? (Object) false : (Object) Double.valueOf(word);
    }

    /** Behind the opening quote. */
    String string() {
      StringBuilder text = new StringBuilder();
      while (source.charAt(at) != '"') {
        char here = source.charAt(at++);
        if (here != '\\') {
          text.append(here);
          continue;
        }
        char escaped = source.charAt(at++);
        int plain = "nrtbf".indexOf(escaped);
        if (escaped == 'u') {
          text.append((char) Integer.parseInt(source.substring(at, at + 4), 16));
          at += 4;
        } else text.append(plain < 0 ? escaped : "\n\r\t\b\f".charAt(plain));
      }
      at++;
      return text.toString();
    }
  }

  // --- the fixtures ---

  @SuppressWarnings("unchecked")
  static Content content(Object json) {
    Map<String, Object> object = (Map<String, Object>) json;
    return new Content((String) object.get("text"), (List<Map<String, Object>>) object.get("entities"),
        (String) object.get("unit"));
  }

  @SuppressWarnings("unchecked")
  static boolean passes(String file, Map<String, Object> given) {
    if (file.equals("parse.json")) {
      Content expected = content(given.get("content"));
      return parse((String) given.get("markup")).equals(expected) && print(expected).equals(given.get("canonical"))
          && parse((String) given.get("canonical")).equals(expected);
    }
    if (file.equals("print.json")) return print(content(given.get("content"))).equals(given.get("markup"));
    Set<String> expected = new TreeSet<>();
    for (Map<String, Object> problem : (List<Map<String, Object>>) given.get("problems")) {
      expected.add(problem.get("path") + " " + problem.get("code"));
    }
    List<?> entities = (List<?>) given.get("entities");
    return validate((String) given.get("text"), entities, (String) given.get("unit")).equals(expected);
  }

  @SuppressWarnings("unchecked")
  public static void main(String[] files) throws Exception {
    int passed = 0;
    int failed = 0;
    for (String file : files) {
      Path path = Path.of(file);
      Map<String, Object> json = (Map<String, Object>) new Json(Files.readString(path)).value();
      for (Map<String, Object> given : (List<Map<String, Object>>) json.get("cases")) {
        if (passes(path.getFileName().toString(), given)) passed++;
        else {
          failed++;
          System.out.println(path.getFileName() + ": " + given.get("name"));
        }
      }
    }
    System.out.println(passed + " passed, " + failed + " failed");
    System.exit(failed == 0 && passed > 0 ? 0 : 1);
  }
}
