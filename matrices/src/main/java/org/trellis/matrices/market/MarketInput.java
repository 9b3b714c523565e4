package org.trellis.matrices.market;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.trellis.common.BoundedInput;
import org.trellis.matrices.io.ReadOptions;
import org.trellis.matrices.support.Inputs;

/** Where the text comes from: a file, plain or compressed, or a stream that can be read only once. */
abstract sealed class MarketInput {

    /** Bytes per block of text; with its entries it fits a second-level cache. */
    static final int BLOCK_BYTES = 1 << 18;

    private final String name;
    private final int blockBytes;

    private MarketInput(String name, int blockBytes) {
        this.name = name;
        this.blockBytes = blockBytes;
    }

    /** An open header and the lines behind it. */
    record Opened(ParsedHeader header, BlockSource blocks) {}

    /** Opens from the beginning and reads the header. */
    abstract Opened open(ReadOptions options) throws IOException;

    /** Whether {@link #open} works more than once. */
    abstract boolean reopens();

    /** The name for messages. */
    String name() {
        return name;
    }

    /** Bytes of text a block. */
    int blockBytes() {
        return blockBytes;
    }

    static MarketInput of(Path path, int blockBytes) {
        return new RegularFile(path, blockBytes);
    }

    static MarketInput of(InputStream input, String name, int blockBytes) {
        return new Stream(input, name, blockBytes);
    }

    private static final class RegularFile extends MarketInput {

        private final Path path;

        RegularFile(Path path, int blockBytes) {
            super(path.toString(), blockBytes);
            this.path = path;
        }

        @Override
        Opened open(ReadOptions options) throws IOException {
            BoundedInput text = Inputs.open(path, "a Matrix Market file", options::textLimit);
            try {
                ParsedHeader header = HeaderReader.read(text, name());
                if (text.compressed()) {
                    return new Opened(header,
                            new StreamBlocks(text, text::takenBytes, Files.size(path), blockBytes()));
                }
                text.close();
                return new Opened(header, MappedBlocks.open(path, header.dataOffset(), blockBytes()));
            } catch (IOException | RuntimeException e) {
                text.close();
                throw e;
            }
        }

        @Override
        boolean reopens() {
            return true;
        }
    }

    private static final class Stream extends MarketInput {

        private final InputStream input;

        Stream(InputStream input, String name, int blockBytes) {
            super(name, blockBytes);
            this.input = input;
        }

        @Override
        Opened open(ReadOptions options) throws IOException {
            BoundedInput text = BoundedInput.of(input, options.textLimit(0), Inputs.problem(name()));
            ParsedHeader header = HeaderReader.read(text, name());
            return new Opened(header, new StreamBlocks(text, text::takenBytes, -1, blockBytes()));
        }

        @Override
        boolean reopens() {
            return false;
        }
    }
}
