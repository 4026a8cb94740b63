// Mentions in Kotlin: reads markup, and cuts a text of the API into plain parts and mentions. Offsets of the API are those of Kotlin's
// strings (UTF-16). The test reads markup from stdin, cases separated by U+001E, and compares the output with parse.json.

data class Entity(
    val kind: String,
    val attributes: Map<String, String>,
    val start: Int,
    val end: Int
)

data class Content(val text: String, val entities: List<Entity>)

data class Segment(val text: String, val entity: Entity?)

private const val KIND = "user|topic|entity|link"
private val TAG = Regex("<($KIND)((?:[ \\t\\n\\r]+[a-z]+=\"[^\"<]+\")*)[ \\t\\n\\r]*>|</($KIND)>")
private val ATTRIBUTE = Regex("([a-z]+)=\"([^\"<]+)\"")
private val ATTRIBUTES = mapOf(
    "user" to listOf("username", "id"),
    "topic" to listOf("id"),
    "entity" to listOf("id"),
    "link" to listOf("href", "id")
)
private val REQUIRED = mapOf("user" to "username", "link" to "href")
private val REFERENCES = mapOf("&amp;" to "&", "&lt;" to "<", "&gt;" to ">", "&quot;" to "\"")

private fun unescape(text: String): String = Regex("&(?:amp|lt|gt|quot);").replace(text) { REFERENCES.getValue(it.value) }

/** The attributes of a start tag; null if the tag is text. */
private fun attributesOf(kind: String, text: String): Map<String, String>? {
    val found = LinkedHashMap<String, String>()
    for (match in ATTRIBUTE.findAll(text)) {
        val (name, value) = match.destructured
        if (name !in ATTRIBUTES.getValue(kind) || name in found) return null
        found[name] = unescape(value)
    }
    val required = REQUIRED[kind]
    return if (required == null || required in found) found else null
}

private class Opened(val kind: String, val attributes: Map<String, String>, val from: Int, val inner: Int)

fun parse(from: String): Content {
    val markup = from.replace('\u0000', ' ')
    val text = StringBuilder()
    val entities = ArrayList<Entity>()
    var opened: Opened? = null
    var done = 0
    var at = 0
    while (true) {
        val tag = TAG.find(markup, at) ?: break
        at = tag.range.last + 1
        val kind = tag.groupValues[1]
        val open = opened
        if (kind != "") {
            val attributes = attributesOf(kind, tag.groupValues[2])
            if (attributes == null) at = tag.range.first + 1
            else opened = Opened(kind, attributes, tag.range.first, at)
        } else if (open != null && open.kind == tag.groupValues[3]) {
            if (tag.range.first > open.inner) {
                text.append(unescape(markup.substring(done, open.from)))
                val start = text.length
                text.append(unescape(markup.substring(open.inner, tag.range.first)))
                entities.add(Entity(open.kind, open.attributes, start, text.length))
                done = at
            }
            opened = null
        }
    }
    return Content(text.append(unescape(markup.substring(done))).toString(), entities)
}

/** The parts of a text in order, each with its entity or null. */
fun segments(text: String, entities: List<Entity>): List<Segment> {
    val parts = ArrayList<Segment>()
    var done = 0
    for (entity in entities.sortedBy { it.start }) {
        parts.add(Segment(text.substring(done, entity.start), null))
        parts.add(Segment(text.substring(entity.start, entity.end), entity))
        done = entity.end
    }
    parts.add(Segment(text.substring(done), null))
    return parts.filter { it.text != "" }
}

fun main() {
    val input = String(System.`in`.readBytes(), Charsets.UTF_8)
    val lines = input.split('\u001e').map { markup ->
        val content = parse(markup)
        check(segments(content.text, content.entities).joinToString("") { it.text } == content.text)
        val entities = content.entities.map { entity ->
            val names = listOf("username", "href", "id").map { entity.attributes[it] ?: "" }
            (listOf(entity.kind) + names + listOf("${entity.start}", "${entity.end}")).joinToString("\u001d")
        }
        (listOf(content.text) + entities).joinToString("\u001f")
    }
    System.out.write(lines.joinToString("\u001e").toByteArray(Charsets.UTF_8))
    System.out.flush()
}
