package org.trellis.bench.jmh;

import java.io.IOException;
import java.util.List;
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
import org.trellis.common.ProgressListener;
import org.trellis.matrices.io.ReadOptions;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvParameters;
import org.trellis.tuner.features.MatrixFeatures;
import org.trellis.tuner.model.SpmvModel;
import org.trellis.tuner.profile.DefaultProfiles;

/**
 * What a first guess costs: the pass over the row offsets with the sample of columns, the model's decision after it,
 * and the rule with the look that it takes itself. Models are those that come with the library, on matrices that they
 * may know: {@code ./trellis jmh AdviceBenchmark}.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 10, time = 1)
@Fork(2)
public class AdviceBenchmark {
    @Param({"poisson2d:nx=300", "random:rows=200000,mean=20,window=2000"})
    private String matrix;

    /** Place of the library's profile: 0 is the GPU's, 1 the processor's. */
    @Param({"0", "1"})
    private int profile;

    private CsrMatrix loaded;
    private MatrixFeatures features;
    private SpmvModel model;
    private Backend backend;
    private SparseKernels kernels;

    /** Creates the benchmark. */
    public AdviceBenchmark() {}

    /**
     * Reads the matrix and the model.
     *
     * @throws IOException if the matrix cannot be read
     */
    @Setup(Level.Trial)
    @SuppressWarnings("MustBeClosed") // closed at the end of the trial
    public void prepare() throws IOException {
        Configuration configuration = Configuration.load();
        loaded = new MatrixLocator(configuration, ReadOptions.DEFAULT).locate(matrix).getFirst()
                .load(ProgressListener.NONE);
        features = MatrixFeatures.of(loaded);
        var known = DefaultProfiles.all().get(profile);
        model = known.model(known.devices().getFirst()).orElseThrow();
        backend = Backends.open("simd", configuration);
        kernels = backend.kernels(SparseKernels.class);
    }

    /**
     * Looks at the matrix, once for each.
     *
     * @return its features
     */
    @Benchmark
    public MatrixFeatures features() {
        return MatrixFeatures.of(loaded);
    }

    /**
     * Decides by the model.
     *
     * @return the most promising set of parameters
     */
    @Benchmark
    public SpmvParameters choice() {
        return model.best(features, loaded.precision());
    }

    /**
     * Ranks by the model, which run-time tuning needs.
     *
     * @return all sets of parameters, the most promising first
     */
    @Benchmark
    public List<SpmvModel.Ranked> ranking() {
        return model.ranking(features, loaded.precision());
    }

    /**
     * Decides by the rule of the backend {@code simd}, with its sample of the structure.
     *
     * @return what it proposes
     */
    @Benchmark
    public SpmvParameters rule() {
        return kernels.rule(loaded);
    }

    /** Releases the backend. */
    @TearDown(Level.Trial)
    public void release() {
        backend.close();
    }
}
