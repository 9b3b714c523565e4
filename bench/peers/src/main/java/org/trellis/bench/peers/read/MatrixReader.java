package org.trellis.bench.peers.read;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.ejml.data.DMatrixSparseCSC;
import org.ejml.ops.DConvertMatrixStruct;
import org.ejml.ops.MatrixIO;
import org.trellis.matrices.MatrixFiles;
import org.trellis.matrices.cache.MatrixCache;
import org.trellis.matrices.io.ReadOptions;
import org.trellis.matrices.market.MatrixMarket;
import smile.math.matrix.DMatrix;
import smile.math.matrix.SparseMatrix;

/**
 * One way to get a compressed sparse matrix out of a Matrix Market file. ojAlgo 57.1 and MKL have none.
 *
 * @param name    what reads
 * @param reading does it
 */
public record MatrixReader(String name, Reading reading) {

    /** Reads a file. */
    @FunctionalInterface
    public interface Reading {
        /**
         * Reads a file.
         *
         * @param file a Matrix Market file
         * @return the number of non-zeros of the matrix
         * @throws Exception if it fails, as the peers declare it
         */
        long read(Path file) throws Exception;
    }

    /**
     * Returns Trellis with some threads.
     *
     * @param threads how many
     * @return the reader
     */
    public static MatrixReader trellis(int threads) {
        ReadOptions options = ReadOptions.DEFAULT.withThreads(threads);
        return new MatrixReader("trellis, " + threads + (threads == 1 ? " thread" : " threads"),
                file -> MatrixMarket.read(file, options).nonZeros());
    }

    /**
     * Returns Trellis with a cache of parsed matrices.
     *
     * @param folder where they are kept
     * @return the reader; the first read of a file fills the cache
     */
    public static MatrixReader cached(Path folder) {
        MatrixCache cache = MatrixCache.in(folder, 0);
        return new MatrixReader("trellis, cache",
                file -> MatrixFiles.read(file, ReadOptions.DEFAULT, cache).nonZeros());
    }

    /**
     * Returns the peers.
     *
     * @return EJML and Smile, the fastest first
     */
    public static List<MatrixReader> peers() {
        return List.of(new MatrixReader("EJML", MatrixReader::readWithEjml),
                new MatrixReader("Smile", MatrixReader::readWithSmile));
    }

    private static long readWithEjml(Path file) throws IOException {
        try (BufferedReader text = Files.newBufferedReader(file, StandardCharsets.US_ASCII)) {
            return DConvertMatrixStruct.convert(MatrixIO.loadMatrixMarketDSTR(text), (DMatrixSparseCSC) null).nz_length;
        }
    }

    private static long readWithSmile(Path file) throws Exception {
        return ((SparseMatrix) DMatrix.market(file)).size();
    }
}
