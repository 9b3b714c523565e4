package org.trellis.testing;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.List;
import java.util.Optional;
import org.trellis.backend.Backend;
import org.trellis.backend.Device;
import org.trellis.common.Precision;
import org.trellis.common.UnsupportedKernelException;
import org.trellis.memory.DenseVector;
import org.trellis.memory.MemorySpace;
import org.trellis.mesh.LoopDeclaration;
import org.trellis.mesh.LoopKernels;
import org.trellis.mesh.device.DatStorage;
import org.trellis.mesh.device.HostStorage;
import org.trellis.mesh.device.PreparedLoop;
import org.trellis.mesh.device.ScalarType;
import org.trellis.mesh.loop.LoopParameters;

/** A backend that counts the memory of dats that is open, and runs out of it when told to. Runs no loops. */
public final class CountingBackend implements Backend {
    private final Backend backend;
    private final LoopKernels loops;
    private int open;
    private int left = Integer.MAX_VALUE;

    /**
     * Creates a backend.
     *
     * @param backend accepts loops; closed with this one
     */
    public CountingBackend(Backend backend) {
        this.backend = backend;
        this.loops = backend.kernels(LoopKernels.class);
    }

    /**
     * Returns how much memory is open.
     *
     * @return pieces
     */
    public int openStorages() {
        return open;
    }

    /**
     * Lets memory run out.
     *
     * @param pieces how many there still are
     */
    public void failAfter(int pieces) {
        left = pieces;
    }

    private DatStorage count(ScalarType type, int length) {
        if (left == 0) {
            throw new IllegalStateException("no memory for " + length + " " + type.label());
        }
        left -= left == Integer.MAX_VALUE ? 0 : 1;
        open++;
        return new Counted(HostStorage.zeros(type, length));
    }

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
        return kernelInterface == LoopKernels.class
                ? kernelInterface.cast(new Loops())
                : backend.kernels(kernelInterface);
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

    /** Memory on the heap that is counted. */
    private final class Counted implements DatStorage {
        private final HostStorage storage;
        private boolean closed;

        Counted(HostStorage storage) {
            this.storage = storage;
        }

        @Override
        public ScalarType type() {
            return storage.type();
        }

        @Override
        public int length() {
            return storage.length();
        }

        @Override
        public MemorySpace space() {
            return storage.space();
        }

        @Override
        public double get(int index) {
            return storage.get(index);
        }

        @Override
        public void set(int index, double value) {
            storage.set(index, value);
        }

        @Override
        public HostStorage toHost() {
            return storage;
        }

        @Override
        public void copyFrom(HostStorage source) {
            storage.copyFrom(source);
        }

        @Override
        public Optional<DenseVector> vector() {
            return storage.vector();
        }

        @Override
        public void close() {
            open -= closed ? 0 : 1;
            closed = true;
        }
    }

    /** The loops of the other backend with memory from here. */
    private final class Loops implements LoopKernels {
        @Override
        public DatStorage allocate(ScalarType type, int length) {
            return count(type, length);
        }

        @Override
        public LoopParameters rule(LoopDeclaration loop) {
            return loops.rule(loop);
        }

        @Override
        public List<LoopParameters> parameterSpace(LoopDeclaration loop) {
            return loops.parameterSpace(loop);
        }

        @Override
        public Optional<String> constraint(LoopDeclaration loop, LoopParameters parameters) {
            return loops.constraint(loop, parameters);
        }

        @Override
        public PreparedLoop prepare(LoopDeclaration loop, LoopParameters parameters) {
            throw new UnsupportedKernelException(loop.toString(), name(), "it counts memory and runs nothing");
        }
    }
}
