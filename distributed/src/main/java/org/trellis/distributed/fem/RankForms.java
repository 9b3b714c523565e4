package org.trellis.distributed.fem;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.Arrays;
import java.util.Map;
import java.util.WeakHashMap;
import org.trellis.backend.Backend;
import org.trellis.common.Precision;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.Reduction;
import org.trellis.distributed.exchange.ExchangeMemory;
import org.trellis.distributed.exchange.ExchangePattern;
import org.trellis.distributed.mesh.DistributedMesh;
import org.trellis.distributed.mesh.Division;
import org.trellis.distributed.mesh.RankOptions;
import org.trellis.distributed.partitioned.RowDirectory;
import org.trellis.distributed.solve.RankBackend;
import org.trellis.distributed.solve.RankDiagonal;
import org.trellis.fem.FormRanks;
import org.trellis.fem.space.CellMesh;
import org.trellis.memory.MemorySpace;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshSet;
import org.trellis.solve.Preconditioner;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.ElementKernels;

/** What forms ask of the ranks: meshes are divided as all are, exchanges are those of all others. */
final class RankForms implements FormRanks {
    private static final String CELLS = "cells";

    private final Communicator communicator;
    private final Backend own;
    private final Division division;
    private final ExchangeMemory carrier;
    private final Map<CellMesh, int[]> divided = new WeakHashMap<>();
    private RankBackend sums;

    RankForms(Communicator communicator, Backend own, Division division) {
        this.communicator = communicator;
        this.own = own;
        this.division = division.of(CELLS);
        boolean onDevice = !own.device().space().equals(MemorySpace.HOST);
        boolean any = communicator.greatest(onDevice ? 1 : 0) > 0;
        this.carrier = onDevice ? ExchangeMemory.device(own) : ExchangeMemory.host(any);
    }

    /** Takes the backend whose sums are those of all ranks. */
    void sumsOf(RankBackend backend) {
        sums = backend;
    }

    @Override
    public int rank() {
        return communicator.rank();
    }

    @Override
    public int ranks() {
        return communicator.size();
    }

    @Override
    public Backend own() {
        return own;
    }

    @Override
    public int[] divide(CellMesh mesh) {
        return divided.computeIfAbsent(mesh, this::owners);
    }

    /** Divides the cells as the mesh runtime does, whose graph has those side by side that share vertices. */
    private int[] owners(CellMesh mesh) {
        if (ranks() == 1) {
            return new int[mesh.cells()];
        }
        try (Mesh whole = DistributedMesh.on(own, communicator, RankOptions.usual().withDivision(division))) {
            MeshSet cells = whole.set(CELLS, mesh.cells());
            MeshSet vertices = whole.set("vertices", mesh.vertices());
            whole.map("vertices of cells", cells, vertices, mesh.shape().corners(), mesh.cellVertices());
            return DistributedMesh.owners(cells);
        }
    }

    @Override
    public void divided(CellMesh mesh, int[] rankOf) {
        divided.putIfAbsent(mesh, rankOf.clone());
    }

    @Override
    public void sum(double[] values) {
        communicator.allReduce(Reduction.SUM, values);
    }

    @Override
    public void highest(double[] values) {
        communicator.allReduce(Reduction.MAX, values);
    }

    @Override
    @MustBeClosed
    public Halo halo(Numbers numbers, Precision precision) {
        return new RankHalo(this, numbers, precision);
    }

    @Override
    @MustBeClosed
    public Rows rows(Numbers numbers, CsrMatrix rows) {
        return new RankMatrix(communicator.split(0, rank()), numbers, rows, sums);
    }

    @Override
    @MustBeClosed
    public Transfer transfer(Numbers fine, Numbers coarse, CsrMatrix rows) {
        return new RankInterpolation(this, fine, coarse, rows);
    }

    @Override
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // returned
    public Preconditioner diagonal(Preconditioner preconditioner) {
        return new RankDiagonal(communicator, elements(), preconditioner);
    }

    /** Returns the ranks, for a group of an object's own. */
    Communicator communicator() {
        return communicator;
    }

    ExchangeMemory carrier() {
        return carrier;
    }

    /** Returns the operations on vectors, whose sums are those of all ranks. */
    ElementKernels elements() {
        return sums.kernels(ElementKernels.class);
    }

    /**
     * Finds out who has what comes behind the elements that this rank owns. Collective.
     *
     * @param group   of the object that exchanges
     * @param total   elements of all ranks
     * @param numbers of the elements
     * @param owned   how many of these this rank owns
     */
    static ExchangePattern links(Communicator group, int total, int[] numbers, int owned) {
        long[] all = Arrays.stream(numbers).asLongStream().toArray();
        RowDirectory directory = RowDirectory.of(group, total, Arrays.copyOf(all, owned));
        RowDirectory.Locations found = directory.find(Arrays.copyOfRange(all, owned, all.length));
        int[] here = new int[all.length - owned];
        Arrays.setAll(here, k -> owned + k);
        return ExchangePattern.asked(group, found.owners(), found.places(), here);
    }
}
