// What the programs of the Java clients share: the documents, and call, which prints whether a call works.

import java.io.Reader;
import java.io.StringReader;
import java.util.List;
import java.util.function.Predicate;

final class Calls {
    static final String INDEX = "products";

    static final String CREATE =
            """
            {"mappings":{"properties":{"title":{"type":"text"},"brand":{"type":"keyword"},"price":{"type":"double"},
            "added":{"type":"date"},"names":{"type":"completion"},"reviews":{"type":"nested","properties":
            {"stars":{"type":"integer"},"text":{"type":"text"}}}}}}""";

    public record Review(int stars, String text) {}

    public record Product(
            String title, String brand, double price, String added, List<String> names, List<Review> reviews) {}

    static final List<Product> PRODUCTS =
            List.of(
                    product("Red running shoes", "Ardo", 80, "2026-01-03", "fits well"),
                    product("Blue running jacket", "Ardo", 120, "2026-01-20", "too small"),
                    product("Red rain jacket", "Belm", 95.5, "2026-02-01", "fits well"),
                    product("Trail shoes for women", "Belm", 110, "2026-02-14", "too small"),
                    product("Wool socks", "Corin", 12, "2026-03-01", "fits well"),
                    product("Running socks, three pairs", "Corin", 15, "2026-03-02", "too small"));

    interface Run<T> {
        T run() throws Exception;
    }

    static Product product(String title, String brand, double price, String added, String text) {
        return new Product(title, brand, price, added, List.of(title), List.of(new Review(title.length() % 5, text)));
    }

    static Reader json(String text) {
        return new StringReader(text);
    }

    /** Makes a call and prints its result; `right` says whether the answer is right. */
    static <T> T call(String name, Run<T> run, Predicate<T> right) {
        T answer = null;
        String error = null;
        try {
            answer = run.run();
            if (!right.test(answer)) error = "wrong answer: " + answer;
        } catch (Exception thrown) {
            // The last cause says why an answer could not be read.
            Throwable cause = thrown;
            while (cause.getCause() != null) cause = cause.getCause();
            error = cause.toString();
        }
        String rest = error == null ? "true" : "false,\"error\":" + quoted(error);
        System.out.println("{\"call\":" + quoted(name) + ",\"ok\":" + rest + "}");
        return answer;
    }

    private static String quoted(String text) {
        StringBuilder out = new StringBuilder("\"");
        for (char c : text.substring(0, Math.min(400, text.length())).toCharArray()) {
            if (c == '"' || c == '\\') out.append('\\').append(c);
            else if (c < ' ') out.append(' ');
            else out.append(c);
        }
        return out.append('"').toString();
    }
}
