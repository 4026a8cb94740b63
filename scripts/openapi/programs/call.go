// Posts an item, lists the feed, reads its event and searches, with the generated client.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	octavo "github.com/GIT_USER_ID/GIT_REPO_ID"
)

func check(err error, ok bool, what string) {
	if err != nil || !ok {
		fmt.Fprintln(os.Stderr, what, err)
		os.Exit(1)
	}
}

func main() {
	configuration := octavo.NewConfiguration()
	configuration.Servers = octavo.ServerConfigurations{{URL: os.Args[1]}}
	client := octavo.NewAPIClient(configuration)
	ctx := context.Background()

	mention := octavo.NewEntity("user", 0, 3)
	mention.SetUsername("ada")
	entry := octavo.NewEntryInput("bob")
	entry.SetText("Ada was here")
	entry.SetEntities([]octavo.Entity{*mention})
	posted, _, err := client.FeedAPI.PostItem(ctx).EntryInput(*entry).Feed("go").Execute()
	check(err, posted != nil, "post")
	listed, _, err := client.FeedAPI.ListFeed(ctx).Feed("go").Execute()
	check(err, len(listed.Items) == 1 && listed.Items[0].Id == posted.Id, "list")

	text, _, err := client.EventsAPI.FollowEvents(ctx).After("0").Types([]string{"item.*"}).Format("json").Execute()
	check(err, true, "events")
	events := octavo.EventList{}
	err = json.Unmarshal([]byte(text), &events)
	check(err, len(events.Items) > 0, "events")
	made := events.Items[len(events.Items)-1].ItemCreatedEvent
	check(nil, made != nil && made.Data.Id == posted.Id, "event")

	source := map[string]interface{}{"title": "The first"}
	_, _, err = client.SearchAPI.PutDocument(ctx, "go", "1").RequestBody(source).Execute()
	check(err, true, "put")
	body := octavo.NewSearchBody()
	body.SetQuery(map[string]interface{}{"match": map[string]interface{}{"title": "first"}})
	found, _, err := client.SearchAPI.Search(ctx, "go").SearchBody(*body).Execute()
	check(err, len(found.Hits.Hits) == 1 && found.Hits.Hits[0].Id == "1", "search")

	_, reply, err := client.FeedAPI.GetItem(ctx, "019aab3f-6e1c-7d40-9a51-000000000001").Feed("go").Execute()
	check(nil, err != nil && reply.StatusCode == 404, "error")
	fmt.Println("posted, listed, read an event, searched, and read an error")
}
