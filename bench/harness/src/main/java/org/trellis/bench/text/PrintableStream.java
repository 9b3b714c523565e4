package org.trellis.bench.text;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * The same as {@link PrintableWriter} for bytes of UTF-8, as far as control characters go: for what others print, such
 * as loggers.
 */
public final class PrintableStream extends FilterOutputStream {
    /** Begins the characters from U+0080 to U+00BF, the first half of which are control characters. */
    private static final int LEAD = 0xc2;
    private static final int FIRST_PRINTED = 0xa0;

    private boolean led;

    /**
     * Writes to another stream.
     *
     * @param out the other one
     */
    public PrintableStream(OutputStream out) {
        super(out);
    }

    @Override
    public synchronized void write(int value) throws IOException {
        int b = value & 0xff;
        if (led) {
            led = false;
            if (b >= 0x80 && b < FIRST_PRINTED) {
                code(b);
                return;
            }
            out.write(LEAD);
        }
        if (b == LEAD) {
            led = true;
        } else if ((b < ' ' && b != '\n' && b != '\t' && b != '\r') || b == 0x7f) {
            code(b);
        } else {
            out.write(b);
        }
    }

    @Override
    public synchronized void write(byte[] bytes, int offset, int length) throws IOException {
        for (int i = offset; i < offset + length; i++) {
            write(bytes[i]);
        }
    }

    private void code(int character) throws IOException {
        out.write(("\\u" + HexFormat.of().toHexDigits((short) character)).getBytes(StandardCharsets.US_ASCII));
    }
}
