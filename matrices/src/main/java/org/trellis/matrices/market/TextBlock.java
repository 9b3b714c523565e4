package org.trellis.matrices.market;

import org.trellis.matrices.support.TextScanner;

/**
 * Whole lines of a file, copied into an array that is reused from block to block. The last line may lack its line
 * feed.
 *
 * <p>Lines of more than {@link #LONGEST_LINE} bytes are never copied: a comment of that length is counted in
 * {@link #droppedLines}, any other line sets {@link #overlong}.
 */
final class TextBlock {

    /** The longest entry line that is read; the format itself allows 1024 characters. */
    static final int LONGEST_LINE = 1 << 16;

    private byte[] bytes = new byte[0];
    private int from;
    private int to;
    private int number;
    private int droppedLines;
    private boolean overlong;

    /** Makes room for text of some bytes and what a scanner reads behind it; keeps the first {@code kept} bytes. */
    byte[] reserve(int capacity, int kept) {
        if (bytes.length < capacity + TextScanner.PADDING) {
            byte[] larger = new byte[capacity + TextScanner.PADDING];
            System.arraycopy(bytes, 0, larger, 0, kept);
            bytes = larger;
        }
        return bytes;
    }

    /** Sets the bytes that belong to this block and ends them with a line feed for the scanner. */
    void set(int newNumber, int newFrom, int newTo) {
        number = newNumber;
        from = newFrom;
        to = newTo;
        droppedLines = 0;
        overlong = false;
        bytes[to] = '\n';
    }

    /** Cuts off a last line that is too long. */
    void dropLastLine() {
        int start = lineStart(to);
        boolean comment = isComment(bytes, start, to);
        to = start;
        bytes[to] = '\n';
        markDropped(comment);
    }

    /** Notes that a line behind this block was too long: a comment is only counted, anything else is an error. */
    void markDropped(boolean comment) {
        droppedLines = comment ? 1 : 0;
        overlong = !comment;
    }

    private int lineStart(int end) {
        int start = end;
        while (start > from && bytes[start - 1] != '\n') {
            start--;
        }
        return start;
    }

    /** Whether the first byte that is not blank is a percent sign. */
    static boolean isComment(byte[] text, int from, int to) {
        int at = from;
        while (at < to && (text[at] == ' ' || text[at] == '\t')) {
            at++;
        }
        return at < to && text[at] == '%';
    }

    byte[] bytes() {
        return bytes;
    }

    /** Index of the first byte. */
    int from() {
        return from;
    }

    /** Index behind the last byte. */
    int to() {
        return to;
    }

    /** The place of this block in the file: 0, 1, 2, ... without gaps. */
    int number() {
        return number;
    }

    /** Long comments at the end of this block that were left out, 0 or 1. */
    int droppedLines() {
        return droppedLines;
    }

    /** Whether the block is followed by an entry line that is too long. */
    boolean overlong() {
        return overlong;
    }
}
