package org.trellis.bench.jmh;

import java.io.IOException;
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
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.bench.source.MatrixLocator;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.matrices.io.ReadOptions;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvFamily;
import org.trellis.sparse.SpmvOperator;
import org.trellis.sparse.SpmvParameters;

/**
 * The product {@code y = A x}. Parameters choose the matrix (anything that the command line takes), the backend, the
 * family and the number of threads: {@code ./trellis jmh ProductBenchmark -p matrix=rmat-65k -p threads=1,2}.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 10, time = 1)
@Fork(2)
public class ProductBenchmark {
    private static final String RULE = "rule";

    @Param({"poisson2d:nx=1000", "random:rows=200000"})
    private String matrix;

    @Param({"reference", "threads", "simd"})
    private String backend;

    /** {@code rule}, or the label of a family: the first of the backend's parameter space with it is taken. */
    @Param({RULE})
    private String family;

    @Param({"f64"})
    private String precision;

    @Param({"1", "2"})
    private int threads;

    private Backend opened;
    private SpmvOperator operator;
    private DenseVector x;
    private DenseVector y;

    /** Creates the benchmark. */
    public ProductBenchmark() {}

    /**
     * Prepares the product.
     *
     * @throws IOException if the matrix cannot be read
     */
    @Setup(Level.Trial)
    @SuppressWarnings("MustBeClosed") // closed at the end of the trial
    public void prepare() throws IOException {
        Configuration configuration = Configuration.builder().set(ConfigurationKeys.THREADS, threads).build();
        CsrMatrix loaded = new MatrixLocator(configuration, ReadOptions.DEFAULT).locate(matrix).getFirst()
                .load(ProgressListener.NONE).toPrecision(Precision.of(precision));
        opened = Backends.open(backend, configuration);
        SparseKernels kernels = opened.kernels(SparseKernels.class);
        operator = kernels.prepare(loaded, parameters(kernels, loaded));
        x = opened.vector(loaded.precision(), loaded.columns());
        y = opened.vector(loaded.precision(), loaded.rows());
        x.copyFrom(HostVector.of(loaded.precision(), loaded.columns(), i -> 1.0 / (1 + i % 10)));
    }

    private SpmvParameters parameters(SparseKernels kernels, CsrMatrix loaded) {
        if (family.equals(RULE)) {
            return kernels.rule(loaded);
        }
        SpmvFamily wanted = SpmvFamily.of(family);
        return kernels.parameterSpace(loaded).stream()
                .filter(parameters -> parameters.family() == wanted)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "backend " + backend + " has no family " + family + " for " + loaded));
    }

    /**
     * Computes one product.
     *
     * @return the result
     */
    @Benchmark
    public DenseVector multiply() {
        operator.multiply(x, y);
        return y;
    }

    /** Releases everything. */
    @TearDown(Level.Trial)
    public void release() {
        operator.close();
        x.close();
        y.close();
        opened.close();
    }
}
