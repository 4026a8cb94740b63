// What starts an Elasticsearch of which only the jars are there? Its own Node, with plugins from the class path; past the
// launcher, which wants an installation, and past the security manager, which newer Javas have not.

import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.env.Environment;
import org.elasticsearch.node.InternalSettingsPreparer;
import org.elasticsearch.node.Node;
import org.elasticsearch.plugins.Plugin;
import org.elasticsearch.reindex.ReindexPlugin;
import org.elasticsearch.transport.Netty4Plugin;

public class Elasticsearch {
  static class Peer extends Node {
    Peer(Environment environment, Collection<Class<? extends Plugin>> plugins) {
      super(environment, plugins, true);
    }
  }

  /** Takes its home, and settings as name=value. */
  public static void main(String[] args) throws Exception {
    Settings.Builder settings = Settings.builder().put("path.home", args[0]);
    for (int i = 1; i < args.length; i++) {
      String[] pair = args[i].split("=", 2);
      settings.put(pair[0], pair[1]);
    }
    Path config = Path.of(args[0], "config");
    Environment environment =
        InternalSettingsPreparer.prepareEnvironment(settings.build(), Map.of(), config, () -> "node-1");
    Peer peer = new Peer(environment, List.of(Netty4Plugin.class, ReindexPlugin.class));
    peer.start();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> {
      try {
        peer.close();
      } catch (Exception ignored) {
        // It ends in any case.
      }
    }));
    new CountDownLatch(1).await();
  }
}
