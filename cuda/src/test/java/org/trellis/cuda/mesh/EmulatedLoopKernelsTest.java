package org.trellis.cuda.mesh;

import com.google.errorprone.annotations.MustBeClosed;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.io.TempDir;
import org.trellis.backend.Backend;
import org.trellis.backend.Device;
import org.trellis.backend.PreparedStep;
import org.trellis.common.Precision;
import org.trellis.cuda.emulation.EmulatedGpu;
import org.trellis.memory.DenseVector;
import org.trellis.mesh.LoopDeclaration;
import org.trellis.mesh.LoopKernels;
import org.trellis.mesh.LoopKernelsContract;
import org.trellis.mesh.device.DatStorage;
import org.trellis.mesh.device.PreparedLoop;
import org.trellis.mesh.device.PreparedSequence;
import org.trellis.mesh.device.ScalarType;
import org.trellis.mesh.loop.LoopParameters;
import org.trellis.testing.TestSeed;

/**
 * The contract of mesh loops with generated code that runs on the host. It takes minutes, and so is asked for:
 * {@code -Dtrellis.test.emulation=some} tries some of the parameters for each loop, chosen at random, {@code all} tries
 * all.
 */
class EmulatedLoopKernelsTest extends LoopKernelsContract {
    private static final String EMULATION = System.getProperty("trellis.test.emulation", "");
    private static final boolean ALL = EMULATION.equals("all");
    private static final int TRIED = 2;

    /** One for all tests, so that they share what was compiled. */
    @TempDir
    private static Path folder;

    @Override
    @MustBeClosed
    protected Backend openBackend() {
        Assumptions.assumeFalse(EMULATION.isEmpty(),
                "takes minutes: asked for with -Dtrellis.test.emulation=some or =all");
        @SuppressWarnings("MustBeClosed") // closed with what is returned
        Backend emulated = EmulatedGpu.in(folder).open();
        return new SomeParameters(emulated);
    }

    @Override
    protected boolean watchesHeap() {
        return false;
    }

    /** A backend that offers only some of the parameters of its loops. */
    private record SomeParameters(Backend backend) implements Backend {
        @Override
        public String name() {
            return backend.name();
        }

        @Override
        public Device device() {
            return backend.device();
        }

        @Override
        public <K> K kernels(Class<K> kernelInterface) {
            K kernels = backend.kernels(kernelInterface);
            return kernels instanceof LoopKernels loops ? kernelInterface.cast(new SomeLoops(loops)) : kernels;
        }

        @Override
        @MustBeClosed
        public DenseVector vector(Precision precision, int length) {
            return backend.vector(precision, length);
        }

        @Override
        public void close() {
            backend.close();
        }
    }

    private record SomeLoops(LoopKernels kernels) implements LoopKernels {
        @Override
        @MustBeClosed
        public DatStorage allocate(ScalarType type, int length) {
            return kernels.allocate(type, length);
        }

        @Override
        public LoopParameters rule(LoopDeclaration loop) {
            return kernels.rule(loop);
        }

        @Override
        public List<LoopParameters> parameterSpace(LoopDeclaration loop) {
            List<LoopParameters> all = kernels.parameterSpace(loop);
            if (ALL) {
                return all;
            }
            SplittableRandom random = TestSeed.random(loop.name() + loop.precision());
            List<LoopParameters> rest = new ArrayList<>(all);
            List<LoopParameters> some = new ArrayList<>(List.of(kernels.rule(loop)));
            rest.remove(some.getFirst());
            while (some.size() < TRIED && !rest.isEmpty()) {
                some.add(rest.remove(random.nextInt(rest.size())));
            }
            return some;
        }

        @Override
        public Optional<String> constraint(LoopDeclaration loop, LoopParameters parameters) {
            return kernels.constraint(loop, parameters);
        }

        @Override
        @MustBeClosed
        public PreparedLoop prepare(LoopDeclaration loop, LoopParameters parameters) {
            return kernels.prepare(loop, parameters);
        }

        @Override
        public LoopParameters refine(LoopDeclaration loop, LoopParameters proposed) {
            return kernels.refine(loop, proposed);
        }

        @Override
        public Optional<PreparedSequence> join(List<PreparedStep> steps) {
            return kernels.join(steps);
        }
    }
}
