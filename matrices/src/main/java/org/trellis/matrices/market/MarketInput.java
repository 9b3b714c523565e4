package org.trellis.matrices.market;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.trellis.matrices.io.ReadOptions;
import org.trellis.matrices.support.TextLines;

/** Where the text comes from: a plain file, a compressed one, or a stream that can be read only once. */
abstract sealed class MarketInput {

    /** Bytes per block of text; with its entries it fits a second-level cache. */
    static final int BLOCK_BYTES = 1 << 18;

    private static final int BUFFER_BYTES = 1 << 16;
    private static final int GZIP_MAGIC = 0x1F8B;

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

    static MarketInput of(Path path, int blockBytes) throws IOException {
        long size = Files.size(path);
        try (InputStream input = Files.newInputStream(path)) {
            boolean compressed = (input.read() << 8 | input.read()) == GZIP_MAGIC;
            return compressed ? new CompressedFile(path, size, blockBytes) : new PlainFile(path, blockBytes);
        }
    }

    static MarketInput of(InputStream input, String name, int blockBytes) {
        return new Stream(input, name, blockBytes);
    }

    private static ParsedHeader header(InputStream input, String name) throws IOException {
        try {
            return HeaderReader.read(input, name);
        } catch (ZipException | EOFException e) {
            throw TextLines.damaged(name, e);
        }
    }

    private static final class PlainFile extends MarketInput {

        private final Path path;

        PlainFile(Path path, int blockBytes) {
            super(path.toString(), blockBytes);
            this.path = path;
        }

        @Override
        Opened open(ReadOptions options) throws IOException {
            ParsedHeader header;
            try (InputStream input = new BufferedInputStream(Files.newInputStream(path))) {
                header = HeaderReader.read(input, name());
            }
            return new Opened(header, MappedBlocks.open(path, header.dataOffset(), blockBytes()));
        }

        @Override
        boolean reopens() {
            return true;
        }
    }

    private static final class CompressedFile extends MarketInput {

        private final Path path;
        private final long size;

        CompressedFile(Path path, long size, int blockBytes) {
            super(path.toString(), blockBytes);
            this.path = path;
            this.size = size;
        }

        @Override
        Opened open(ReadOptions options) throws IOException {
            CountingStream file = new CountingStream(Files.newInputStream(path), true);
            try {
                InputStream text = new BufferedInputStream(new GZIPInputStream(file, BUFFER_BYTES), BUFFER_BYTES);
                ParsedHeader header = header(text, name());
                return new Opened(header,
                        new StreamBlocks(text, name(), file::count, size, options.textLimit(size), blockBytes()));
            } catch (ZipException | EOFException e) {
                file.close();
                throw TextLines.damaged(name(), e);
            } catch (IOException | RuntimeException e) {
                file.close();
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
            BufferedInputStream raw = new BufferedInputStream(input, BUFFER_BYTES);
            raw.mark(2);
            boolean compressed = (raw.read() << 8 | raw.read()) == GZIP_MAGIC;
            raw.reset();
            CountingStream counted = new CountingStream(raw, false);
            InputStream text;
            try {
                text = compressed ? new BufferedInputStream(new GZIPInputStream(counted, BUFFER_BYTES)) : counted;
            } catch (ZipException | EOFException e) {
                throw TextLines.damaged(name(), e);
            }
            ParsedHeader header = header(text, name());
            return new Opened(header, new StreamBlocks(text, name(), counted::count, -1,
                    compressed ? options.textLimit(0) : Long.MAX_VALUE, blockBytes()));
        }

        @Override
        boolean reopens() {
            return false;
        }
    }
}
