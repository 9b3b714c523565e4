package org.trellis.cuda.compile;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;

/**
 * Names texts and code that come from this user, by two sums of 32 bits. Against damage and mix-ups, not against
 * intent: the JVM has machine code for these sums from its start, while a cryptographic digest runs in the interpreter
 * at first, where those of a multigrid set-up took 20 ms.
 */
final class Fingerprint {
    private Fingerprint() {}

    /** Returns 32 hexadecimal digits: two sums, the length and the hash code of the text. */
    static String of(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        HexFormat hex = HexFormat.of();
        return hex.toHexDigits(bits(bytes)) + hex.toHexDigits(bytes.length) + hex.toHexDigits(text.hashCode());
    }

    /** Returns CRC-32 and CRC-32C. */
    static long bits(byte[] bytes) {
        CRC32 first = new CRC32();
        first.update(bytes, 0, bytes.length);
        CRC32C second = new CRC32C();
        second.update(bytes, 0, bytes.length);
        return first.getValue() << Integer.SIZE | second.getValue();
    }
}
