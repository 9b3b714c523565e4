package org.trellis.matrices.market;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.trellis.common.Checks;
import org.trellis.common.MatrixFormatException;
import org.trellis.common.Precision;
import org.trellis.matrices.io.ComplexPolicy;
import org.trellis.matrices.io.ReadOptions;
import org.trellis.matrices.support.SyntaxFailure;

/**
 * A share of a Matrix Market file: of several readers each parses its own part of the text, and together they have
 * every entry once. For matrices that no reader is to hold whole. Memory: what the receiver keeps, and about 30 MiB.
 *
 * @param header  what the file says before its first entry
 * @param entries number of entries in this share, mirrored ones not counted
 * @param below   whether one of them lies below the diagonal
 * @param above   whether one of them lies above the diagonal
 */
public record MarketPart(MarketHeader header, long entries, boolean below, boolean above) {
    private static final int GZIP = 0x1f;

    /** Receives entries in the order of the file. */
    @FunctionalInterface
    public interface EntryReceiver {
        /**
         * Takes an entry.
         *
         * @param row    its row, from 0
         * @param column its column, from 0
         * @param value  its value, rounded for {@link Precision#F32}
         */
        void accept(long row, long column, double value);
    }

    /**
     * Reads a share. An entry of a stored triangle is followed by its mirror image.
     *
     * @param file     a Matrix Market file of coordinates, not compressed
     * @param share    which share, from 0
     * @param shares   how many there are
     * @param options  precision and what to do with complex values; the rest is ignored
     * @param receiver gets the entries
     * @return what the header says, and the number of entries
     * @throws MatrixFormatException     if the contents of the share are wrong, or the file is an array or compressed
     * @throws IllegalArgumentException  if there are no shares
     * @throws IndexOutOfBoundsException if there is no such share
     * @throws IOException               if the file cannot be read
     */
    public static MarketPart read(Path file, int share, int shares, ReadOptions options, EntryReceiver receiver)
            throws IOException {
        Checks.index("share of " + file, share, Checks.positive("number of shares", shares));
        ParsedHeader parsed = header(file, options);
        int blockBytes = Math.clamp((Files.size(file) - parsed.dataOffset()) / shares, 64,
                MarketInput.BLOCK_BYTES);
        try (MappedBlocks blocks = MappedBlocks.open(file, parsed.dataOffset(), blockBytes)) {
            blocks.limit(share, shares);
            return new Reader(file, parsed.header(), options, receiver).read(blocks);
        }
    }

    private static ParsedHeader header(Path file, ReadOptions options) throws IOException {
        try (InputStream input = new BufferedInputStream(Files.newInputStream(file))) {
            input.mark(1);
            if (input.read() == GZIP) {
                throw new MatrixFormatException(file.toString(), 1, 1, "the file is compressed",
                        "plain text, of which a share can be found");
            }
            input.reset();
            ParsedHeader parsed = HeaderReader.read(input, file.toString());
            MarketHeader header = parsed.header();
            if (header.format() != MarketFormat.COORDINATE) {
                throw new MatrixFormatException(file.toString(), 1, 1, "the file is an array",
                        "coordinates, of which a share can be read");
            }
            ComplexPolicy policy = options.complexPolicy();
            if (header.field() == MarketField.COMPLEX
                    && (policy == ComplexPolicy.REFUSE || policy == ComplexPolicy.REAL_FORM)) {
                throw new MatrixFormatException(file.toString(), 1, parsed.fieldColumn(), "the values are complex",
                        "real, integer or pattern, or a reader that keeps the real or the imaginary part");
            }
            return parsed;
        }
    }

    /**
     * Checks what only shows in all shares together.
     *
     * @param file     the file, for the message
     * @param total    the sum of {@link #entries} over the shares
     * @param anyBelow whether any share has entries below the diagonal
     * @param anyAbove whether any share has entries above the diagonal
     * @throws MatrixFormatException if the file has another number of entries than it declares, or both triangles of a
     *                               matrix of which one is to be stored
     */
    public void checkAll(Path file, long total, boolean anyBelow, boolean anyAbove) {
        if (total != header.entries()) {
            throw new MatrixFormatException(file.toString(), 1, 1, "the file has " + total + " entries",
                    header.entries() + " entries, as its size line declares");
        }
        if (header.mirrored() && anyBelow && anyAbove) {
            throw new MatrixFormatException(file.toString(), 1, 1, "entries lie on both sides of the diagonal",
                    "the entries of one triangle of a " + header.symmetry().word() + " matrix");
        }
    }

    /** One read of one share. */
    private static final class Reader {
        private final Path file;
        private final MarketHeader header;
        private final EntryParser parser;
        private final EntryReceiver receiver;
        private final boolean toFloat;
        private final double mirrorSign;
        private long entries;
        private boolean below;
        private boolean above;

        Reader(Path file, MarketHeader header, ReadOptions options, EntryReceiver receiver) {
            this.file = file;
            this.header = header;
            this.parser = new EntryParser(header, options);
            this.receiver = receiver;
            this.toFloat = options.precision() == Precision.F32;
            this.mirrorSign = CsrAssembler.mirrorSign(header, options.complexPolicy());
        }

        MarketPart read(MappedBlocks blocks) throws IOException {
            TextBlock text = new TextBlock();
            while (blocks.next(text)) {
                try {
                    take(parser.parse(text));
                } catch (SyntaxFailure e) {
                    throw located(blocks, text, e);
                }
            }
            return new MarketPart(header, entries, below, above);
        }

        private void take(EntryBlock block) {
            boolean pattern = header.field() == MarketField.PATTERN;
            for (int k = block.from(); k < block.to(); k++) {
                int row = block.rows()[k];
                int column = block.columns()[k];
                double value = pattern ? 1 : toFloat ? (float) block.values()[k] : block.values()[k];
                receiver.accept(row, column, value);
                if (header.mirrored() && row != column) {
                    receiver.accept(column, row, mirrorSign * value);
                }
            }
            entries += block.count();
            below |= block.shape().below();
            above |= block.shape().above();
        }

        /** The lines before are counted only now. A block begins within a line whose end is the last before its own. */
        private MatrixFormatException located(MappedBlocks blocks, TextBlock text, SyntaxFailure failure) {
            long before = blocks.linesBefore(text.number());
            boolean beginsWithin = text.from() > 1;
            int column = failure.position() - parser.lineStart() + 1;
            return new MatrixFormatException(file.toString(),
                    before + (beginsWithin ? 1 : 0) + parser.result().lines(), column,
                    SequentialParse.found(text, failure.position()), failure.expected());
        }
    }
}
