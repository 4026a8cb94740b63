// Posts an item, lists the feed, reads its event and searches, with the generated client.

import java.net.URI
import org.openapitools.client.apis.FeedApi
import org.openapitools.client.apis.SearchApi
import org.openapitools.client.infrastructure.ClientException
import org.openapitools.client.infrastructure.Serializer
import org.openapitools.client.models.Entity
import org.openapitools.client.models.EntryInput
import org.openapitools.client.models.ItemCreatedEvent
import org.openapitools.client.models.SearchBody

fun main(args: Array<String>) {
    val feed = FeedApi(args[0])
    val mention = Entity(kind = Entity.Kind.user, username = "ada", start = 0, end = 3)
    val posted = feed.postItem(EntryInput(author = "bob", text = "Ada was here", entities = listOf(mention)), feed = "kotlin")
    val listed = feed.listFeed(feed = "kotlin")
    check(listed.items.map { it.id } == listOf(posted.id))

    // The generated method expects a text, but a page of events is JSON. Moshi reads no unions: the type of an event says which class
    // it has.
    val text = URI(args[0] + "/api/events?format=json&after=0&types=item.*").toURL().readText()
    val page = Serializer.moshi.adapter(Any::class.java).fromJson(text) as Map<*, *>
    val event = (page["items"] as List<*>).last() as Map<*, *>
    check(event["type"] == "octavo.item.created")
    val made = Serializer.moshi.adapter(ItemCreatedEvent::class.java).fromJsonValue(event)!!
    check(made.data.id == posted.id)

    val search = SearchApi(args[0])
    search.putDocument("kotlin", "1", mapOf("title" to "The first"))
    val query = mapOf("match" to mapOf("title" to "first"))
    val found = search.search("kotlin", searchBody = SearchBody(query = query))
    check(found.hits.hits.map { it.id } == listOf("1"))

    try {
        feed.getItem("019aab3f-6e1c-7d40-9a51-000000000001", feed = "kotlin")
        error("an item that was never posted was found")
    } catch (error: ClientException) {
        check(error.statusCode == 404)
    }
    println("posted, listed, read an event, searched, and read an error")
    // OkHttp's threads would keep the process for a while.
    kotlin.system.exitProcess(0)
}
