package org.trellis.internal.reference;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.trellis.mesh.ChainLoop;
import org.trellis.mesh.Dat;
import org.trellis.mesh.DatCopy;
import org.trellis.mesh.IndirectArgument;
import org.trellis.mesh.LoopDeclaration;
import org.trellis.mesh.MeshMap;
import org.trellis.mesh.PreparedChain;
import org.trellis.mesh.device.HostStorage;
import org.trellis.mesh.loop.TileStatistics;
import org.trellis.mesh.loop.Tiling;
import org.trellis.mesh.tile.ChainAccess;
import org.trellis.mesh.tile.TileCopies;
import org.trellis.mesh.tile.TilePlan;

/** Runs tiles one after the other, each element by a call of the user's method. */
final class ReferenceTiles implements PreparedChain {
    private final List<LoopDeclaration> loops;
    private final TilePlan plan;
    private final ChainAccess chain;
    private final ReferenceLock turn;
    private final Map<Dat, DatCopy> copies = new HashMap<>();
    private final long[] times;
    private ReferenceArgument[][] arguments;
    private Object[][] reduced;

    ReferenceTiles(List<ChainLoop> loops, TilePlan plan, ReferenceLock turn) {
        this.loops = loops.stream().map(ChainLoop::loop).toList();
        this.plan = plan;
        this.chain = ChainAccess.of(loops);
        this.turn = turn;
        this.times = new long[loops.size()];
        chain.dats().forEach((dat, written) -> {
            if (plan.tiling() == Tiling.REDUNDANT && written) {
                copies.put(dat, new DatCopy(dat,
                        HostStorage.zeros(dat.type(), dat.set().size() * dat.components())));
            }
        });
    }

    @Override
    public void run() {
        turn.take(() -> {
            begin();
            for (int tile : plan.order().tiles()) {
                Map<Dat, HostStorage> own = plan.tiling() == Tiling.REDUNDANT ? copyIn(tile) : Map.of();
                for (int loop = 0; loop < loops.size(); loop++) {
                    long start = System.nanoTime();
                    runElements(loop, tile);
                    times[loop] += System.nanoTime() - start;
                }
                own.forEach((dat, values) -> copyOut(tile, dat, values));
            }
        });
    }

    private void begin() {
        arguments = new ReferenceArgument[loops.size()][];
        reduced = new Object[loops.size()][];
        for (int loop = 0; loop < loops.size(); loop++) {
            LoopDeclaration declaration = loops.get(loop);
            times[loop] = 0;
            arguments[loop] = new ReferenceArgument[declaration.arity()];
            reduced[loop] = new Object[declaration.arity()];
            for (int a = 0; a < declaration.arity(); a++) {
                arguments[loop][a] = new ReferenceArgument(declaration, a);
                if (declaration.access(a).reduces()) {
                    reduced[loop][a] = arguments[loop][a].newAccumulator();
                } else {
                    arguments[loop][a].begin();
                }
            }
        }
    }

    private void runElements(int loop, int tile) {
        LoopDeclaration declaration = loops.get(loop);
        int own = plan.counted(loop, tile);
        Object[] values = new Object[declaration.arity()];
        for (int i = plan.offsets(loop)[tile]; i < plan.offsets(loop)[tile + 1]; i++) {
            int element = plan.elements(loop)[i];
            for (int a = 0; a < values.length; a++) {
                Object sum = reduced[loop][a];
                if (sum == null) {
                    values[a] = arguments[loop][a].gather(element);
                } else {
                    values[a] = element < own ? sum : arguments[loop][a].newAccumulator();
                }
            }
            declaration.kernel().call(values);
            for (ReferenceArgument argument : arguments[loop]) {
                argument.scatter(element);
            }
        }
    }

    /** Gives a tile memory of its own, and has all arguments there. */
    private Map<Dat, HostStorage> copyIn(int tile) {
        TileCopies copy = plan.copies().get(tile);
        Map<Dat, HostStorage> own = new HashMap<>();
        for (Dat dat : chain.dats().keySet()) {
            int[] elements = copy.elements().get(dat.set());
            HostStorage values = HostStorage.zeros(dat.type(), elements.length * dat.components());
            HostStorage whole = (HostStorage) dat.storage();
            for (int i = 0; i < values.length(); i++) {
                values.set(i, whole.get(elements[i / dat.components()] * dat.elementStride()
                        + i % dat.components() * dat.componentStride()));
            }
            own.put(dat, values);
        }
        for (int loop = 0; loop < loops.size(); loop++) {
            for (int a = 0; a < loops.get(loop).arity(); a++) {
                if (loops.get(loop).dat(a) != null) {
                    move(loop, a, own.get(loops.get(loop).dat(a)), copy);
                }
            }
        }
        return own;
    }

    private void move(int loop, int a, HostStorage values, TileCopies copy) {
        MeshMap map = loops.get(loop).map(a);
        if (map == null) {
            arguments[loop][a].move(values, null, null, null);
            return;
        }
        TileCopies.LocalMap local = copy.maps().get(map);
        int entry = loops.get(loop).entry(a);
        int[][] columns = map.arity() == MeshMap.VARIABLE ? null : local.columns();
        arguments[loop][a].move(values, columns == null || entry == IndirectArgument.ALL
                ? columns
                : new int[][]{columns[entry]}, local.offsets(), local.entries());
    }

    private void copyOut(int tile, Dat dat, HostStorage values) {
        if (!copies.containsKey(dat)) {
            return;
        }
        TileCopies copy = plan.copies().get(tile);
        int[] elements = copy.elements().get(dat.set());
        for (int i = 0; i < copy.own().get(dat.set()) * dat.components(); i++) {
            copies.get(dat).spare().set(elements[i / dat.components()] * dat.elementStride()
                    + i % dat.components() * dat.componentStride(), values.get(i));
        }
    }

    @Override
    public void reduce(int loop) {
        for (int a = 0; a < reduced[loop].length; a++) {
            if (reduced[loop][a] != null) {
                arguments[loop][a].combine(reduced[loop][a]);
            }
        }
    }

    @Override
    public long nanoseconds(int loop) {
        return times[loop];
    }

    @Override
    public List<DatCopy> copies() {
        return new ArrayList<>(copies.values());
    }

    @Override
    public TileStatistics statistics() {
        return plan.statistics();
    }

    @Override
    public void close() {}
}
