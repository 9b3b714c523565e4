package org.trellis.matrices.market;

import java.io.IOException;
import java.util.List;
import org.trellis.common.MatrixFormatException;
import org.trellis.common.Precision;
import org.trellis.matrices.io.ComplexPolicy;
import org.trellis.matrices.io.ReadOptions;
import org.trellis.matrices.support.ProgressMeter;
import org.trellis.matrices.support.Workers;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;

/** One read of one input: header, plausibility, entries, assembly. */
final class MarketReader {

    /** Rows, or elements of a dense result, that any file may claim; more only in proportion to its text. */
    static final long UNCONDITIONAL_SIZE = 1 << 24;

    private final MarketInput input;
    private final ReadOptions options;

    MarketReader(MarketInput input, ReadOptions options) {
        this.input = input;
        this.options = options;
    }

    MarketHeader readHeader() throws IOException {
        MarketInput.Opened opened = input.open(options);
        opened.blocks().close();
        return opened.header().header();
    }

    CsrMatrix readMatrix() throws IOException {
        try (Workers workers = new Workers(options.threads())) {
            ParsedEntries entries = parse(workers);
            MarketHeader header = entries.header().header();
            ProgressMeter progress = new ProgressMeter(options.progress(), "assemble", header.entries());
            CsrArrays arrays = header.format() == MarketFormat.ARRAY
                    ? toDense(entries).compress()
                    : assemble(entries, workers);
            progress.finish();
            return CsrMatrix.of(header.rows(), header.columns(), arrays.rowOffsets(), arrays.columnIndices(),
                    inPrecision(arrays.values()));
        }
    }

    DenseArray readDense() throws IOException {
        try (Workers workers = new Workers(options.threads())) {
            return toDense(parse(workers));
        }
    }

    HostVector readVector() throws IOException {
        try (Workers workers = new Workers(options.threads())) {
            ParsedEntries entries = parse(workers);
            ParsedHeader header = entries.header();
            if (header.header().columns() != 1) {
                throw new MatrixFormatException(input.name(), header.lines(), header.rowsColumn(),
                        "a matrix of " + header.header().columns() + " columns", "a vector: one column");
            }
            return inPrecision(toDense(entries).values());
        }
    }

    private HostVector inPrecision(double[] values) {
        HostVector vector = HostVector.of(values);
        return options.precision() == Precision.F64 ? vector : vector.convert(options.precision());
    }

    private ParsedEntries parse(Workers workers) throws IOException {
        MarketInput.Opened opened = input.open(options);
        try (BlockSource source = opened.blocks()) {
            ParsedHeader header = opened.header();
            refuseComplex(header);
            List<EntryBlock> blocks = parse(header, source, workers);
            long textBytes = source.textBytes();
            checkSize(header, header.header().rows(), "rows", textBytes);
            return new ParsedEntries(header, blocks, textBytes);
        }
    }

    private List<EntryBlock> parse(ParsedHeader header, BlockSource source, Workers workers) throws IOException {
        ProgressMeter progress = new ProgressMeter(options.progress(), "parse", source.totalBytes());
        boolean parallel = workers.threads() > 1 && input.reopens() && !EntryParser.needsAllBlocks(header.header())
                && source.totalBytes() > input.blockBytes();
        List<EntryBlock> blocks = parallel
                ? new ParallelParse(header.header(), options, source, progress).run(workers)
                : new SequentialParse(input.name(), header, options).run(source, progress);
        if (blocks == null) {
            blocks = parseAgain(header, progress);
        }
        progress.finish();
        checkTotal(header, blocks);
        return blocks;
    }

    /** Finds the first error in the order of the file. */
    private List<EntryBlock> parseAgain(ParsedHeader header, ProgressMeter progress) throws IOException {
        MarketInput.Opened opened = input.open(options);
        try (BlockSource source = opened.blocks()) {
            return new SequentialParse(input.name(), header, options).run(source, progress);
        }
    }

    private void checkTotal(ParsedHeader header, List<EntryBlock> blocks) {
        long entries = 0;
        long lines = header.lines();
        for (EntryBlock block : blocks) {
            entries += block.count();
            lines += block.lines();
        }
        if (entries < header.header().entries()) {
            throw SequentialParse.tooFew(input.name(), header, entries, lines);
        }
    }

    private void refuseComplex(ParsedHeader header) {
        ComplexPolicy policy = options.complexPolicy();
        if (header.header().field() == MarketField.COMPLEX
                && (policy == ComplexPolicy.REFUSE || policy == ComplexPolicy.REAL_FORM)) {
            throw new MatrixFormatException(input.name(), 1, header.fieldColumn(), "the values are complex",
                    "real, integer or pattern; or MatrixFiles.readComplex, or a policy: ComplexPolicy.REAL_FORM for "
                            + "files, REAL_PART or IMAGINARY_PART, on the command line --complex=REAL_FORM");
        }
    }

    private void checkSize(ParsedHeader header, long size, String what, long textBytes) {
        long limit = Math.min(CsrMatrix.MAXIMUM_SEGMENT_NON_ZEROS - 1, Math.max(UNCONDITIONAL_SIZE, textBytes));
        if (size > limit) {
            throw new MatrixFormatException(input.name(), header.lines(), header.rowsColumn(),
                    size + " " + what + " are out of proportion to " + textBytes + " bytes of entries",
                    "at most " + limit + " " + what + " (the larger of " + UNCONDITIONAL_SIZE
                            + " and one for each byte of text)");
        }
    }

    private CsrArrays assemble(ParsedEntries entries, Workers workers) throws IOException {
        MarketHeader header = entries.header().header();
        long expanded = CsrAssembler.expandedEntries(header, entries.blocks());
        if (expanded > CsrMatrix.MAXIMUM_SEGMENT_NON_ZEROS) {
            throw new MatrixFormatException(input.name(), entries.header().lines(), entries.header().countColumn(),
                    expanded + " entries, mirrored ones counted, are more than the reader can assemble",
                    "at most " + CsrMatrix.MAXIMUM_SEGMENT_NON_ZEROS);
        }
        return new CsrAssembler(header, options.complexPolicy(), entries.blocks(), workers).assemble((int) expanded);
    }

    private DenseArray toDense(ParsedEntries entries) {
        MarketHeader header = entries.header().header();
        checkSize(entries.header(), (long) header.rows() * header.columns(), "elements", entries.textBytes());
        return new DenseFiller(header, options.complexPolicy()).fill(entries.blocks());
    }
}
