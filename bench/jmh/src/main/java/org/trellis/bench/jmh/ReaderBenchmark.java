package org.trellis.bench.jmh;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.matrices.generate.MatrixSpec;
import org.trellis.matrices.io.ReadOptions;
import org.trellis.matrices.io.WriteOptions;
import org.trellis.matrices.market.MatrixMarket;
import org.trellis.sparse.CsrMatrix;

/**
 * Reading a Matrix Market file that was written before: {@code ./trellis jmh ReaderBenchmark -p threads=1,2 -p
 * matrix=random:rows=1e6}.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(2)
public class ReaderBenchmark {
    @Param({"random:rows=200000", "poisson2d:nx=1000"})
    private String matrix;

    @Param({".mtx", ".mtx.gz"})
    private String extension;

    @Param({"1", "2"})
    private int threads;

    private Path file;

    /** Creates the benchmark. */
    public ReaderBenchmark() {}

    /**
     * Writes the file.
     *
     * @throws IOException if it cannot be written
     */
    @Setup(Level.Trial)
    public void write() throws IOException {
        file = Files.createTempFile("trellis-reader", extension);
        CsrMatrix made = MatrixSpec.parse(matrix).generate(Precision.F64, ProgressListener.NONE);
        MatrixMarket.write(file, made, WriteOptions.DEFAULT);
    }

    /**
     * Reads the file.
     *
     * @return the matrix
     * @throws IOException if it cannot be read
     */
    @Benchmark
    public CsrMatrix read() throws IOException {
        return MatrixMarket.read(file, ReadOptions.DEFAULT.withThreads(threads));
    }

    /**
     * Removes the file.
     *
     * @throws IOException if it cannot be removed
     */
    @TearDown(Level.Trial)
    public void remove() throws IOException {
        Files.delete(file);
    }
}
