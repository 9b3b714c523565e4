package org.trellis.matrices.market;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.zip.GZIPOutputStream;
import org.trellis.file.AtomicFile;
import org.trellis.matrices.io.WriteOptions;
import org.trellis.matrices.support.ProgressMeter;
import org.trellis.matrices.support.Workers;
import org.trellis.memory.HostVector;
import org.trellis.sparse.ComplexCsr;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;
import org.trellis.sparse.SparseMatrix;
import org.trellis.sparse.SymmetricMatrix;

/**
 * Writes matrices and vectors. Threads format pieces of some tens of thousands of entries, compress them if requested,
 * each as a gzip member of its own, and the caller's thread writes them in order.
 */
final class MarketWriter {
    private static final int PIECE_ENTRIES = 1 << 15;

    private final Path file;
    private final WriteOptions options;
    private final boolean compressed;

    /** A part of the file that one thread formats. */
    private record Piece(long entries, Consumer<EntryFormatter> format) {}

    MarketWriter(Path file, WriteOptions options) {
        this.file = file;
        this.options = options;
        this.compressed = file.toString().endsWith(".gz");
    }

    void write(SparseMatrix matrix) throws IOException {
        boolean symmetric = options.symmetric() || matrix instanceof SymmetricMatrix;
        CsrMatrix stored = symmetric ? lowerTriangle(matrix) : matrix.toCsr();
        String header = "%%MatrixMarket matrix coordinate " + (options.pattern() ? "pattern" : "real")
                + (symmetric ? " symmetric\n" : " general\n") + comments() + stored.rows() + " " + stored.columns()
                + " "
                + stored.nonZeros() + "\n";
        write(header, pieces(stored), stored.nonZeros());
    }

    void write(ComplexCsr matrix) throws IOException {
        if (options.pattern()) {
            throw new IllegalArgumentException("no values of " + matrix + ", expected to write values of a complex "
                    + "matrix");
        }
        String symmetry = options.symmetric() ? symmetryOf(matrix) : "general";
        ComplexCsr stored = options.symmetric() ? lowerTriangle(matrix) : matrix;
        String header = "%%MatrixMarket matrix coordinate complex " + symmetry + "\n" + comments() + stored.rows() + " "
                + stored.columns() + " " + stored.nonZeros() + "\n";
        int[] offsets = stored.rowOffsets();
        List<Piece> pieces = new ArrayList<>();
        for (int from = 0, row = 0; row < stored.rows(); row++) {
            if (offsets[row + 1] - offsets[from] >= PIECE_ENTRIES || row + 1 == stored.rows()) {
                int first = from;
                int last = row + 1;
                pieces.add(new Piece(offsets[last] - (long) offsets[first],
                        formatter -> formatter.entries(stored, first, last)));
                from = last;
            }
        }
        write(header, pieces, stored.nonZeros());
    }

    private static String symmetryOf(ComplexCsr matrix) {
        if (matrix.isHermitian(0)) {
            return "hermitian";
        }
        if (!matrix.isSymmetric(0)) {
            throw new IllegalArgumentException("one triangle of " + matrix
                    + ", expected a symmetric or Hermitian matrix");
        }
        return "symmetric";
    }

    private static ComplexCsr lowerTriangle(ComplexCsr matrix) {
        return ComplexCsr.of(matrix.realPart().lowerTriangle(0), matrix.imaginaryPart().lowerTriangle(0));
    }

    void writeComplex(HostVector parts) throws IOException {
        if (parts.length() % 2 != 0) {
            throw new IllegalArgumentException("complex vector of " + parts.length()
                    + " parts, expected a real and an imaginary one for each number");
        }
        int length = parts.length() / 2;
        String header = "%%MatrixMarket matrix array complex general\n" + comments() + length + " 1\n";
        List<Piece> pieces = new ArrayList<>();
        for (int from = 0; from < length; from += PIECE_ENTRIES) {
            int first = from;
            int last = Math.min(length, from + PIECE_ENTRIES);
            pieces.add(new Piece(last - first, formatter -> formatter.complexValues(parts, first, last)));
        }
        write(header, pieces, length);
    }

    void write(HostVector values, int rows, int columns) throws IOException {
        String header = "%%MatrixMarket matrix array real general\n" + comments() + rows + " " + columns + "\n";
        List<Piece> pieces = new ArrayList<>();
        for (int from = 0; from < values.length(); from += PIECE_ENTRIES) {
            int first = from;
            int last = (int) Math.min(values.length(), from + (long) PIECE_ENTRIES);
            pieces.add(new Piece(last - first, formatter -> formatter.values(values, first, last)));
        }
        write(header, pieces, values.length());
    }

    private static CsrMatrix lowerTriangle(SparseMatrix matrix) {
        SymmetricMatrix symmetric =
                matrix instanceof SymmetricMatrix already ? already : SymmetricMatrix.from(matrix.toCsr());
        return symmetric.lower();
    }

    private String comments() {
        StringBuilder lines = new StringBuilder();
        for (String comment : options.comments()) {
            lines.append('%').append(comment).append('\n');
        }
        return lines.toString();
    }

    private List<Piece> pieces(CsrMatrix matrix) {
        List<Piece> pieces = new ArrayList<>();
        for (CsrSegment segment : matrix.segments()) {
            int[] offsets = segment.rowOffsets();
            int from = 0;
            for (int row = 0; row < segment.rows(); row++) {
                boolean full = offsets[row + 1] - offsets[from] >= PIECE_ENTRIES || row + 1 == segment.rows();
                if (full) {
                    pieces.add(piece(segment, from, row + 1));
                    from = row + 1;
                }
            }
        }
        return pieces;
    }

    private Piece piece(CsrSegment segment, int fromRow, int toRow) {
        long entries = segment.rowOffsets()[toRow] - (long) segment.rowOffsets()[fromRow];
        return new Piece(entries, formatter -> formatter.entries(segment, fromRow, toRow, options.pattern()));
    }

    private void write(String header, List<Piece> pieces, long entries) throws IOException {
        int threads = Math.min(options.threads(), Math.max(1, pieces.size()));
        try (Workers workers = new Workers(threads)) {
            AtomicFile.write(file, output -> {
                writeHeader(header, output);
                writePieces(pieces, workers, output, new ProgressMeter(options.progress(), "write", entries));
            });
        }
    }

    private void writeHeader(String header, OutputStream output) throws IOException {
        byte[] bytes = header.getBytes(StandardCharsets.UTF_8);
        if (compressed) {
            GZIPOutputStream gzip = new GZIPOutputStream(output);
            gzip.write(bytes);
            gzip.finish();
        } else {
            output.write(bytes);
        }
    }

    private void writePieces(List<Piece> pieces, Workers workers, OutputStream output, ProgressMeter progress)
            throws IOException {
        EntryFormatter[] formatters = new EntryFormatter[workers.threads()];
        Arrays.setAll(formatters, worker -> new EntryFormatter());
        long written = 0;
        for (int first = 0; first < pieces.size(); first += formatters.length) {
            List<Piece> round = pieces.subList(first, Math.min(pieces.size(), first + formatters.length));
            workers.run(worker -> {
                if (worker < round.size()) {
                    format(round.get(worker), formatters[worker]);
                }
            });
            for (int k = 0; k < round.size(); k++) {
                formatters[k].flush(output);
                written += round.get(k).entries();
            }
            progress.reach(written);
        }
        progress.finish();
    }

    private void format(Piece piece, EntryFormatter formatter) throws IOException {
        piece.format().accept(formatter);
        if (compressed) {
            formatter.compress();
        }
    }
}
