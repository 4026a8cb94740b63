// Everyday calls of olivere/elastic, with its sniffing of nodes and its health checks.

package main

import (
	"context"
	"fmt"
	"io"

	"github.com/olivere/elastic/v7"
)

const index = "products"

func main() {
	var client *elastic.Client
	expect("NewClient, with sniffing", func(context.Context) (bool, error) {
		made, err := elastic.NewClient(elastic.SetURL(url))
		client = made
		return err == nil && made.IsRunning(), err
	}, `true`)
	if client == nil {
		made, err := elastic.NewClient(elastic.SetURL(url), elastic.SetSniff(false), elastic.SetHealthcheck(false))
		if err != nil {
			panic(err)
		}
		client = made
	}
	search := func() *elastic.SearchService { return client.Search(index) }
	expect("ElasticsearchVersion", func(context.Context) (string, error) { return client.ElasticsearchVersion(url) }, `8.`)
	expect("CreateIndex", client.CreateIndex(index).BodyString(mapping).Do, `"acknowledged":true`)
	expect("IndexExists", client.IndexExists(index).Do, `true`)
	expect("Bulk", func(ctx context.Context) (*elastic.BulkResponse, error) {
		bulk := client.Bulk().Index(index).Refresh("true")
		for n, each := range products {
			bulk.Add(elastic.NewBulkIndexRequest().Id(fmt.Sprint(n + 1)).Doc(each))
		}
		return bulk.Do(ctx)
	}, `"items":[{"index":{"_index":"products"`)
	expect("BulkProcessor", func(ctx context.Context) (int64, error) {
		processor, err := client.BulkProcessor().Workers(2).BulkActions(10).Stats(true).Do(ctx)
		if err != nil {
			return 0, err
		}
		for n := 0; n < 50; n++ {
			processor.Add(elastic.NewBulkIndexRequest().Index("more").Doc(map[string]int{"n": n}))
		}
		err = processor.Close()
		return processor.Stats().Succeeded, err
	}, `50`)
	expect("Index", client.Index().Index(index).Id("7").BodyJson(products[4]).Do, `"result":"created"`)
	expect("Get", client.Get().Index(index).Id("7").Do, `"found":true`)
	expect("Exists", client.Exists().Index(index).Id("9").Do, `false`)
	expect("MultiGet", client.MultiGet().Add(elastic.NewMultiGetItem().Index(index).Id("1"), elastic.NewMultiGetItem().Index(index).Id("9")).Do, `"_id":"9"`)
	expect("Update", client.Update().Index(index).Id("7").Doc(map[string]int{"price": 21}).Do, `"result":"updated"`)
	expect("Update with a script", client.Update().Index(index).Id("7").Script(elastic.NewScript("ctx._source.price += params.more").Param("more", 4)).Do, `"result":"updated"`)
	expect("Delete", client.Delete().Index(index).Id("7").Refresh("true").Do, `"result":"deleted"`)
	expect("Count", client.Count(index).Do, `6`)
	expect("Search match", search().Query(elastic.NewMatchQuery("title", "running")).Do, `"value":3`)
	expect("Search bool", search().Query(elastic.NewBoolQuery().Must(elastic.NewMatchQuery("title", "jacket")).Filter(elastic.NewRangeQuery("price").Gte(100))).Do, `"value":1`)
	expect("Search nested", search().Query(elastic.NewNestedQuery("reviews", elastic.NewMatchQuery("reviews.text", "small")).InnerHit(elastic.NewInnerHit())).Do, `"inner_hits":{"reviews"`)
	expect("Search highlight", search().Query(elastic.NewMatchQuery("title", "socks")).Highlight(elastic.NewHighlight().Field("title")).Do, `"highlight":{"title":["`)
	expect("Search function_score", search().Query(elastic.NewFunctionScoreQuery().AddScoreFunc(elastic.NewFieldValueFactorFunction().Field("price")).BoostMode("replace")).Do, `"max_score":120`)
	expect("Search terms", search().Size(0).Aggregation("brands", elastic.NewTermsAggregation().Field("brand").SubAggregation("price", elastic.NewAvgAggregation().Field("price"))).Do, `"key":"Ardo"`)
	expect("Search date_histogram", search().Size(0).Aggregation("months", elastic.NewDateHistogramAggregation().Field("added").CalendarInterval("month")).Do, `2026-03-01T00:00:00.000Z`)
	expect("Search suggest", search().Suggester(elastic.NewTermSuggester("did").Text("runing").Field("title")).Do, `"text":"running"`)
	expect("Search completion", search().Suggester(elastic.NewCompletionSuggester("c").Prefix("red").Field("names")).Do, `"text":"Red rain jacket"`)
	expect("Search search_after", search().Size(2).Sort("price", true).SearchAfter(15).Do, `"_id":"1"`)
	expect("Search collapse", search().Collapse(elastic.NewCollapseBuilder("brand")).Do, `"fields":{"brand":["Ardo"]}`)
	expect("Search script_fields", search().SearchSource(elastic.NewSearchSource().ScriptField(elastic.NewScriptField("twice", elastic.NewScript("doc['price'].value * 2")))).Do, `"twice":[160`)
	expect("MultiSearch", client.MultiSearch().Add(elastic.NewSearchRequest().Index(index).Query(elastic.NewTermQuery("brand", "Ardo"))).Do, `"value":2`)
	expect("Scroll", func(ctx context.Context) (int, error) {
		scroll := client.Scroll(index).Size(4)
		defer scroll.Clear(ctx)
		for count := 0; ; {
			page, err := scroll.Do(ctx)
			if err == io.EOF {
				return count, nil
			}
			if err != nil {
				return count, err
			}
			count += len(page.Hits.Hits)
		}
	}, `6`)
	expect("OpenPointInTime, ClosePointInTime", func(ctx context.Context) (bool, error) {
		pit, err := client.OpenPointInTime(index).KeepAlive("1m").Do(ctx)
		if err != nil {
			return false, err
		}
		found, err := client.Search().PointInTime(elastic.NewPointInTime(pit.Id)).Sort("price", true).Do(ctx)
		if err != nil {
			return false, err
		}
		closed, err := client.ClosePointInTime(found.PitId).Do(ctx)
		return err == nil && closed.Succeeded && len(found.Hits.Hits) == 6, err
	}, `true`)
	expect("Explain", client.Explain(index, "", "1").Type("_doc").Query(elastic.NewMatchQuery("title", "red")).Do, `"matched":true`)
	expect("FieldCaps", client.FieldCaps(index).Fields("*").Do, `"price":{"double"`)
	expect("TermVectors", client.TermVectors(index).Id("1").Fields("title").Do, `"red":{`)
	expect("IndexAnalyze", client.IndexAnalyze().Index(index).Field("title").Text("Two Words").Do, `"token":"words"`)
	expect("Validate", client.Validate(index).Query(elastic.NewMatchAllQuery()).Do, `"valid":true`)
	expect("UpdateByQuery", client.UpdateByQuery(index).Query(elastic.NewTermQuery("brand", "Belm")).Script(elastic.NewScript("ctx._source.sale = true")).Refresh("true").Do, `"updated":2`)
	expect("Reindex", client.Reindex().SourceIndex(index).DestinationIndex("copies").Refresh("true").Do, `"created":6`)
	expect("DeleteByQuery", client.DeleteByQuery("copies").Query(elastic.NewRangeQuery("price").Lt(50)).Do, `"deleted":2`)
	expect("PutMapping", client.PutMapping().Index(index).BodyString(`{"properties":{"color":{"type":"keyword"}}}`).Do, `"acknowledged":true`)
	expect("GetMapping", client.GetMapping().Index(index).Do, `"color":{`)
	expect("IndexPutSettings", client.IndexPutSettings(index).BodyString(`{"index":{"refresh_interval":"5s"}}`).Do, `"acknowledged":true`)
	expect("IndexGetSettings", client.IndexGetSettings(index).Do, `"refresh_interval":"5s"`)
	expect("Alias", client.Alias().Add(index, "shop").Do, `"acknowledged":true`)
	expect("Aliases", client.Aliases().Alias("shop").Do, `"products"`)
	expect("IndexPutIndexTemplate", client.IndexPutIndexTemplate("logs").BodyString(`{"index_patterns":["logs-*"]}`).Do, `"acknowledged":true`)
	expect("IndexGetIndexTemplate", client.IndexGetIndexTemplate("logs").Do, `"name":"logs"`)
	expect("PutScript", client.PutScript().Id("more").BodyString(`{"script":{"lang":"painless","source":"ctx._source.price += 1"}}`).Do, `"acknowledged":true`)
	expect("Refresh", client.Refresh(index).Do, `"failed":0`)
	expect("IndexStats", client.IndexStats(index).Do, `"_all":{`)
	expect("CatIndices", client.CatIndices().Do, `"index":"products"`)
	expect("CatHealth", client.CatHealth().Do, `"cluster":"octavo"`)
	expect("CatCount", client.CatCount().Index(index).Do, `"count":"6"`)
	expect("ClusterHealth", client.ClusterHealth().Do, `"cluster_name":"octavo"`)
	expect("ClusterState", client.ClusterState().Do, `"cluster_name":"octavo"`)
	expect("ClusterStats", client.ClusterStats().Do, `"cluster_name":"octavo"`)
	expect("NodesInfo", client.NodesInfo().Do, `"nodes":{`)
	expect("NodesStats", client.NodesStats().Do, `"nodes":{`)
	expect("TasksList", client.TasksList().Do, `{`)
	expect("DeleteIndex", client.DeleteIndex("copies").Do, `"acknowledged":true`)
}
