package org.trellis.matrices.market;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.trellis.common.MatrixFormatException;
import org.trellis.common.PrintableText;
import org.trellis.matrices.io.ReadOptions;
import org.trellis.matrices.support.ProgressMeter;
import org.trellis.matrices.support.SyntaxFailure;

/**
 * Parses blocks one after the other and throws the first error of the file, with its line and column.
 *
 * <p>It also runs when a parallel parse has met an error, so that the error reported never depends on timing.
 */
final class SequentialParse {

    private static final int QUOTED_BYTES = 40;

    private final String file;
    private final ParsedHeader parsedHeader;
    private final MarketHeader header;
    private final EntryParser parser;
    private final List<EntryBlock> blocks = new ArrayList<>();
    private long entries;
    private long lines;
    private boolean below;
    private boolean above;

    SequentialParse(String file, ParsedHeader parsedHeader, ReadOptions options) {
        this.file = file;
        this.parsedHeader = parsedHeader;
        this.header = parsedHeader.header();
        this.parser = new EntryParser(header, options);
        this.lines = parsedHeader.lines();
    }

    /**
     * Parses everything.
     *
     * @return the blocks in order; their number of entries is the one declared
     * @throws MatrixFormatException at the first error
     */
    List<EntryBlock> run(BlockSource source, ProgressMeter progress) throws IOException {
        TextBlock text = new TextBlock();
        while (source.next(text)) {
            parse(text);
            progress.reach(source.takenBytes());
        }
        if (entries < header.entries()) {
            throw tooFew(file, parsedHeader, entries, lines);
        }
        return blocks;
    }

    private void parse(TextBlock text) {
        SyntaxFailure failure = null;
        EntryBlock block;
        try {
            block = parser.parse(text);
        } catch (SyntaxFailure e) {
            failure = e;
            block = parser.result();
        }
        // The first entry that is wrong, whichever of the two it breaks; both come before a line that is no entry.
        int room = (int) Math.min(Integer.MAX_VALUE, header.entries() - entries);
        checkTriangle(text, block, room);
        checkCount(text, block, room);
        if (failure != null) {
            throw located(text, failure, lines + block.lines());
        }
        entries += block.count();
        lines += block.lines();
        blocks.add(block);
    }

    private void checkCount(TextBlock text, EntryBlock block, int room) {
        if (block.count() > room) {
            EntryPosition place = EntryPosition.find(text, room);
            throw new MatrixFormatException(file, lines + place.line(), place.column(),
                    "more entries than the " + header.entries() + " that line " + parsedHeader.lines() + " declares",
                    "the end of the file");
        }
    }

    /** The first entry off the diagonal decides which triangle is stored; entries beyond the declared do not count. */
    private void checkTriangle(TextBlock text, EntryBlock block, int room) {
        if (!header.mirrored() || header.format() == MarketFormat.ARRAY) {
            return;
        }
        EntryBlock.Shape shape = block.shape();
        if (!((below || shape.below()) && (above || shape.above()))) {
            below |= shape.below();
            above |= shape.above();
            return;
        }
        for (int k = block.from(); k < block.from() + Math.min(room, block.count()); k++) {
            int row = block.rows()[k];
            int column = block.columns()[k];
            below |= row > column;
            above |= row < column;
            if (below && above) {
                EntryPosition place = EntryPosition.find(text, k - block.from());
                throw new MatrixFormatException(file, lines + place.line(), place.column(),
                        "entry (" + (row + 1) + ", " + (column + 1)
                                + ") lies on the other side of the diagonal than the "
                                + "entries before it",
                        "the entries of one triangle of a " + header.symmetry().word()
                                + " matrix");
            }
        }
    }

    private MatrixFormatException located(TextBlock text, SyntaxFailure failure, long line) {
        int column = failure.position() - parser.lineStart() + 1;
        return new MatrixFormatException(file, line, column, found(text, failure.position()), failure.expected());
    }

    /** Describes what stands where something else was expected. */
    static String found(TextBlock text, int position) {
        byte[] bytes = text.bytes();
        int end = position;
        while (end < text.to() && bytes[end] > ' ' && end - position < QUOTED_BYTES) {
            end++;
        }
        if (end > position) {
            return "found "
                    + PrintableText.quote(new String(bytes, position, end - position, StandardCharsets.US_ASCII));
        }
        if (position >= text.to()) {
            return "the file ends";
        }
        return switch (bytes[position]) {
            case '\n', '\r' -> "the line ends";
            case ' ', '\t' -> "found a blank";
            default -> String.format(Locale.ROOT, "found the byte 0x%02X", bytes[position] & 0xFF);
        };
    }

    /** The error of a file that holds fewer entries than it declares. */
    static MatrixFormatException tooFew(String file, ParsedHeader header, long entries, long lines) {
        return new MatrixFormatException(file, lines + 1, 1, "the file ends after " + entries + " entries",
                header.header().entries() + " entries, as line " + header.lines() + " declares");
    }
}
