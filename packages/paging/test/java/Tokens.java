// Do the fixtures suffice to build and read tokens in another language? This file was written from
// conformance/tokens/README.md. It checks itself, and prints each position sealed anew for others to read:
//
//   java Tokens.java conformance/tokens

import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

import static java.nio.charset.StandardCharsets.UTF_8;

public class Tokens {
  static final List<String> MODES = List.of("sort", "score", "feed");
  static final BigInteger SAFE = BigInteger.TWO.pow(53).subtract(BigInteger.ONE);
  static final BigInteger LAST_DATE = BigInteger.valueOf(8_640_000_000_000_000L);

  /** A refusal; `changed` names parts of the list. */
  static class Refused extends Exception {
    final String code;
    final List<String> changed;

    Refused(String code, List<String> changed) {
      super(code);
      this.code = code;
      this.changed = changed;
    }
  }

  static Refused invalid() {
    return new Refused("cursor-invalid", List.of());
  }

  /** Values: null, Boolean, Long (whole, within 2^53), Double, BigInteger, String, Date, byte[]. */
  record Date(BigInteger milliseconds) {}

  record Position(String mode, List<Object> tuple, boolean backwards, String id, String index, BigInteger snapshot,
      Map<String, BigInteger> fingerprint, String principal, BigInteger expiresAt) {}

  // --- bytes ---

  static class Writer {
    final ByteArrayOutputStream out = new ByteArrayOutputStream();

    void unsigned(BigInteger value) {
      BigInteger rest = value;
      while (rest.bitLength() > 7) {
        out.write(rest.intValue() & 0x7f | 0x80);
        rest = rest.shiftRight(7);
      }
      out.write(rest.intValue());
    }

    void signed(BigInteger value) {
      unsigned(value.signum() < 0 ? value.shiftLeft(1).negate().subtract(BigInteger.ONE) : value.shiftLeft(1));
    }

    void string(String text) {
      try {
        ByteBuffer bytes = UTF_8.newEncoder().encode(CharBuffer.wrap(text));
        unsigned(BigInteger.valueOf(2L * bytes.limit()));
        out.write(bytes.array(), 0, bytes.limit());
      } catch (CharacterCodingException loneSurrogate) {
        unsigned(BigInteger.valueOf(4L * text.length() + 1));
        for (char unit : text.toCharArray()) {
          out.write(unit >> 8);
          out.write(unit);
        }
      }
    }
  }

  static class Reader {
    final byte[] bytes;
    int at = 0;

    Reader(byte[] bytes) {
      this.bytes = bytes;
    }

    int one() throws Refused {
      if (at == bytes.length) throw invalid();
      return bytes[at++] & 0xff;
    }

    byte[] some(BigInteger count) throws Refused {
      if (count.compareTo(BigInteger.valueOf(bytes.length - at)) > 0) throw invalid();
      at += count.intValue();
      return Arrays.copyOfRange(bytes, at - count.intValue(), at);
    }

    BigInteger unsigned() throws Refused {
      BigInteger value = BigInteger.ZERO;
      for (int shift = 0; ; shift += 7) {
        int group = one();
        value = value.or(BigInteger.valueOf(group & 0x7f).shiftLeft(shift));
        if (group >= 0x80) continue;
        if (group == 0 && shift > 0) throw invalid();
        return value;
      }
    }

    BigInteger signed() throws Refused {
      BigInteger value = unsigned();
      return value.testBit(0) ? value.shiftRight(1).not() : value.shiftRight(1);
    }

    BigInteger safe() throws Refused {
      return within(unsigned(), SAFE);
    }

    String string() throws Refused {
      BigInteger header = unsigned();
      byte[] text = some(header.shiftRight(1));
      try {
        if (!header.testBit(0)) return UTF_8.newDecoder().decode(ByteBuffer.wrap(text)).toString();
      } catch (CharacterCodingException notUtf8) {
        throw invalid();
      }
      if (text.length % 2 == 1) throw invalid();
      String units = ByteBuffer.wrap(text).asCharBuffer().toString();
      if (UTF_8.newEncoder().canEncode(units)) throw invalid();
      return units;
    }
  }

  static BigInteger within(BigInteger value, BigInteger most) throws Refused {
    if (value.abs().compareTo(most) > 0) throw invalid();
    return value;
  }

  // --- payloads ---

  static byte[] encode(Position p) {
    Writer to = new Writer();
    to.out.write(1);
    to.out.write(MODES.indexOf(p.mode));
    to.out.write((p.backwards ? 1 : 0) | (p.id == null ? 0 : 2) | (p.index == null ? 0 : 4) | (p.snapshot == null ? 0 : 8)
        | (p.principal == null ? 0 : 16) | (p.expiresAt == null ? 0 : 32));
    to.out.write(p.tuple.size());
    for (Object value : p.tuple) encodeValue(to, value);
    if (p.id != null) to.string(p.id);
    if (p.index != null) to.string(p.index);
    if (p.snapshot != null) to.unsigned(p.snapshot);
    to.out.write(p.fingerprint.size());
    new TreeMap<>(p.fingerprint).forEach((name, hash) -> {
      to.string(name);
      to.unsigned(hash);
    });
    if (p.principal != null) to.string(p.principal);
    if (p.expiresAt != null) to.unsigned(p.expiresAt);
    return to.out.toByteArray();
  }

  static void encodeValue(Writer to, Object value) {
    if (value == null) to.out.write(0);
    else if (value instanceof Boolean flag) to.out.write(flag ? 2 : 1);
    else if (value instanceof Double number) {
      to.out.write(3);
      to.out.writeBytes(ByteBuffer.allocate(8).putDouble(number).array());
    } else if (value instanceof BigInteger number) {
      to.out.write(4);
      to.signed(number);
    } else if (value instanceof String text) {
      to.out.write(5);
      to.string(text);
    } else if (value instanceof Date date) {
      to.out.write(6);
      to.signed(date.milliseconds);
    } else if (value instanceof Long number) {
      to.out.write(7);
      to.signed(BigInteger.valueOf(number));
    } else {
      to.out.write(8);
      to.unsigned(BigInteger.valueOf(((byte[]) value).length));
      to.out.writeBytes((byte[]) value);
    }
  }

  static Position decode(byte[] payload) throws Refused {
    Reader from = new Reader(payload);
    if (from.one() != 1) throw invalid();
    int mode = from.one();
    int flags = from.one();
    int count = from.one();
    if (mode >= MODES.size() || flags >= 64 || count > 64) throw invalid();
    List<Object> tuple = new ArrayList<>();
    for (int i = 0; i < count; i++) tuple.add(decodeValue(from));
    String id = (flags & 2) == 0 ? null : from.string();
    String index = (flags & 4) == 0 ? null : from.string();
    BigInteger snapshot = (flags & 8) == 0 ? null : from.safe();
    Map<String, BigInteger> fingerprint = new LinkedHashMap<>();
    for (int parts = from.one(); parts > 0; parts--) fingerprint.put(from.string(), from.safe());
    String principal = (flags & 16) == 0 ? null : from.string();
    BigInteger expiresAt = (flags & 32) == 0 ? null : from.safe();
    if (from.at < payload.length) throw invalid();
    return new Position(MODES.get(mode), tuple, (flags & 1) == 1, id, index, snapshot, fingerprint, principal, expiresAt);
  }

  static Object decodeValue(Reader from) throws Refused {
    switch (from.one()) {
      case 0: return null;
      case 1: return false;
      case 2: return true;
      case 3: return ByteBuffer.wrap(from.some(BigInteger.valueOf(8))).getDouble();
      case 4: return from.signed();
      case 5: return from.string();
      case 6: return new Date(within(from.signed(), LAST_DATE));
      case 7: return within(from.signed(), SAFE).longValue();
      case 8: return from.some(from.unsigned());
      default: throw invalid();
    }
  }

  // --- tokens ---

  static String base64(byte[] bytes) {
    return java.util.Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /** Only what `base64` makes: no padding, no loose bits. */
  static byte[] unbase64(String text) throws Refused {
    try {
      byte[] bytes = java.util.Base64.getUrlDecoder().decode(text);
      if (base64(bytes).equals(text)) return bytes;
    } catch (IllegalArgumentException notBase64) {
      // Refused below.
    }
    throw invalid();
  }

  static byte[] gcm(int mode, byte[] key, byte[] nonce, String keyId, byte[] input) throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(mode, new SecretKeySpec(key, "AES"), new GCMParameterSpec(128, nonce));
    cipher.updateAAD(keyId.getBytes(UTF_8));
    return cipher.doFinal(input);
  }

  static byte[] hmac(byte[] key, byte[]... parts) throws GeneralSecurityException {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(key, "HmacSHA256"));
    for (byte[] part : parts) mac.update(part);
    return mac.doFinal();
  }

  /** Tokens of the library have the key itself; those of a server a subkey, by the salt before the nonce. */
  static byte[] open(byte[] secret, String keyId, byte[] sealed, boolean ofServer) throws Refused {
    int salt = ofServer ? 16 : 0;
    if (sealed.length <= salt + 12) throw invalid();
    try {
      byte[] key = ofServer
          ? hmac(hmac(Arrays.copyOf(sealed, 16), secret), "octavo tokens".getBytes(UTF_8), new byte[] {1})
          : secret;
      byte[] nonce = Arrays.copyOfRange(sealed, salt, salt + 12);
      return gcm(Cipher.DECRYPT_MODE, key, nonce, keyId, Arrays.copyOfRange(sealed, salt + 12, sealed.length));
    } catch (GeneralSecurityException damaged) {
      throw invalid();
    }
  }

  static String seal(Position position, String keyId, byte[] secret) throws GeneralSecurityException {
    byte[] nonce = new byte[12];
    new SecureRandom().nextBytes(nonce);
    byte[] body = gcm(Cipher.ENCRYPT_MODE, secret, nonce, keyId, encode(position));
    byte[] sealed = Arrays.copyOf(nonce, 12 + body.length);
    System.arraycopy(body, 0, sealed, 12, body.length);
    return "v1." + keyId + "." + base64(sealed);
  }

  static Position read(String token, Map<String, byte[]> keys, boolean ofServer, boolean allowOpen) throws Refused {
    String[] parts = token.split("\\.", -1);
    if (token.length() > 2_048) throw invalid();
    if (parts.length == 2 && parts[0].equals("v0") && allowOpen) return decode(unbase64(parts[1]));
    if (parts.length != 3 || !parts[0].equals("v1") || !keys.containsKey(parts[1])) throw invalid();
    return decode(open(keys.get(parts[1]), parts[1], unbase64(parts[2]), ofServer));
  }

  static void check(Position p, Map<String, BigInteger> fingerprint, String principal, BigInteger now) throws Refused {
    if (p.principal != null && !p.principal.equals(principal)) throw new Refused("cursor-forbidden", List.of());
    if (p.expiresAt != null && p.expiresAt.compareTo(now) <= 0) throw new Refused("cursor-expired", List.of());
    TreeSet<String> names = new TreeSet<>(p.fingerprint.keySet());
    names.addAll(fingerprint.keySet());
    names.removeIf(name -> p.fingerprint.containsKey(name) && p.fingerprint.get(name).equals(fingerprint.get(name)));
    if (!names.isEmpty()) throw new Refused("cursor-mismatch", List.copyOf(names));
  }

  // --- fingerprints ---

  static long hash(String text) {
    int a = 0x811c9dc5;
    int b = 0x7ee3623b;
    for (int i = 0; i < text.length(); i++) {
      a = (a ^ text.charAt(i)) * 0x01000193;
      b = (b ^ (text.charAt(i) + i)) * (0x01000193 ^ 0x5bd1e994);
    }
    int x = (a ^ a >>> 15) * 0x2c1b3c6d;
    int y = (b ^ b >>> 13) * 0x297a2d39;
    return ((x ^ x >>> 12) & 0xffffffffL) << 16 | (y ^ y >>> 15) >>> 16;
  }

  static String canonical(Object value) {
    if (value instanceof String text) return quoted(text);
    if (value instanceof Double number) return BigDecimal.valueOf(number).toPlainString();
    if (value instanceof List<?> list) return "[" + String.join(",", list.stream().map(Tokens::canonical).toList()) + "]";
    if (!(value instanceof Map<?, ?> object)) return String.valueOf(value);
    List<String> members = new ArrayList<>();
    new TreeMap<>(object).forEach((name, member) -> members.add(quoted((String) name) + ":" + canonical(member)));
    return "{" + String.join(",", members) + "}";
  }

  static String quoted(String text) {
    StringBuilder out = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char unit = text.charAt(i);
      int plain = "\"\\\b\f\n\r\t".indexOf(unit);
      boolean pair = Character.isHighSurrogate(unit) && i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1));
      if (plain >= 0) out.append('\\').append("\"\\bfnrt".charAt(plain));
      else if (pair) out.append(unit).append(text.charAt(++i));
      else if (unit < ' ' || Character.isSurrogate(unit)) out.append(String.format("\\u%04x", (int) unit));
      else out.append(unit);
    }
    return out.append('"').toString();
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
          take(',');
          take('"');
          String name = string();
          take(':');
          object.put(name, value());
        }
        return object;
      }
      if (take('[')) {
        List<Object> array = new ArrayList<>();
        while (!take(']')) {
          take(',');
          array.add(value());
        }
        return array;
      }
      if (take('"')) return string();
      int from = at;
      while ("{}[],:\" \n\r\t".indexOf(source.charAt(at)) < 0) at++;
      String word = source.substring(from, at);
      if (word.equals("null")) return null;
      if (word.equals("true") || word.equals("false")) return word.equals("true");
      BigDecimal number = new BigDecimal(word);
      boolean whole = number.stripTrailingZeros().scale() <= 0 && number.abs().compareTo(new BigDecimal(SAFE)) <= 0;
      return whole ? (Object) number.longValue() : (Object) number.doubleValue();
    }

    /** Behind the opening quote. */
    String string() {
      StringBuilder text = new StringBuilder();
      for (char here = source.charAt(at++); here != '"'; here = source.charAt(at++)) {
        char escaped = here == '\\' ? source.charAt(at++) : ' ';
        int plain = "nrtbf".indexOf(escaped);
        if (here != '\\') text.append(here);
        else if (escaped == 'u') {
          text.append((char) Integer.parseInt(source.substring(at, at + 4), 16));
          at += 4;
        } else text.append(plain < 0 ? escaped : "\n\r\t\b\f".charAt(plain));
      }
      return text.toString();
    }
  }

  // --- the fixtures ---

  @SuppressWarnings("unchecked")
  static Map<String, Object> object(Object json) {
    return (Map<String, Object>) json;
  }

  static BigInteger whole(Object json) {
    return json == null ? null : BigInteger.valueOf((Long) json);
  }

  static Map<String, BigInteger> fingerprint(Object json) {
    Map<String, BigInteger> parts = new LinkedHashMap<>();
    object(json).forEach((name, hash) -> parts.put(name, whole(hash)));
    return parts;
  }

  static Object typed(Object json) {
    if (!(json instanceof Map)) return json;
    Map<String, Object> value = object(json);
    if (value.get("bigint") instanceof String digits) return new BigInteger(digits);
    if (value.containsKey("date")) return new Date(whole(value.get("date")));
    if (value.get("bytes") instanceof String hex) return HexFormat.of().parseHex(hex);
    return Double.valueOf((String) value.get("double"));
  }

  static Position position(Object json) {
    Map<String, Object> p = object(json);
    List<Object> tuple = new ArrayList<>();
    for (Object value : (List<?>) p.get("tuple")) tuple.add(typed(value));
    return new Position((String) p.get("mode"), tuple, (Boolean) p.get("backwards"), (String) p.get("id"),
        (String) p.get("index"), whole(p.get("snapshot")), fingerprint(p.get("fingerprint")), (String) p.get("principal"),
        whole(p.get("expiresAt")));
  }

  static boolean passes(String file, Map<String, Object> given, Map<String, byte[]> keys) throws Exception {
    if (file.equals("fingerprints.json")) {
      return canonical(given.get("value")).equals(given.get("text")) && hash((String) given.get("text")) == (Long) given.get("hash");
    }
    Map<String, Object> expected = given.containsKey("expected") ? object(given.get("expected")) : null;
    String token = (String) given.get("token");
    try {
      Position read = read(token, keys, file.equals("server.json"), expected == null || (Boolean) expected.get("allowOpen"));
      if (expected != null) {
        check(read, fingerprint(expected.get("fingerprint")), (String) expected.get("principal"), whole(expected.get("now")));
      }
      if (given.containsKey("error")) return false;
      Position wanted = position(given.get("position"));
      if (file.equals("tokens.json") && token.startsWith("v1.")) System.out.println("sealed " + given.get("name") + ": " + seal(wanted, "k1", keys.get("k1")));
      return Arrays.equals(encode(read), encode(wanted))
          && (token.startsWith("v1.") || token.equals("v0." + base64(encode(wanted))));
    } catch (Refused refused) {
      Object changed = given.containsKey("changed") ? new TreeSet<>((List<?>) given.get("changed")).stream().toList() : List.of();
      return refused.code.equals(given.get("error")) && refused.changed.equals(changed);
    }
  }

  public static void main(String[] arguments) throws Exception {
    int passed = 0;
    int failed = 0;
    for (String file : List.of("tokens.json", "checks.json", "fingerprints.json", "server.json")) {
      Map<String, Object> fixtures = object(new Json(Files.readString(Path.of(arguments[0], file))).value());
      Map<String, byte[]> keys = new LinkedHashMap<>();
      for (Object key : (List<?>) fixtures.getOrDefault("keys", List.of())) {
        keys.put((String) object(key).get("id"), HexFormat.of().parseHex((String) object(key).get("secret")));
      }
      for (Object given : (List<?>) fixtures.get("cases")) {
        if (passes(file, object(given), keys)) passed++;
        else {
          failed++;
          System.out.println("failed: " + file + ": " + object(given).get("name"));
        }
      }
    }
    System.out.println(passed + " passed, " + failed + " failed");
    System.exit(failed == 0 ? 0 : 1);
  }
}
