package org.trellis.internal.threads.loop;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.trellis.internal.threads.team.WorkerTeam;
import org.trellis.kernel.LoopArguments;
import org.trellis.kernel.LoopStyle;
import org.trellis.kernel.RangeLoop;
import org.trellis.mesh.ChainLoop;
import org.trellis.mesh.Dat;
import org.trellis.mesh.DatCopy;
import org.trellis.mesh.IndirectArgument;
import org.trellis.mesh.LoopDeclaration;
import org.trellis.mesh.MeshMap;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.device.HostStorage;
import org.trellis.mesh.loop.Layout;
import org.trellis.mesh.tile.ChainAccess;
import org.trellis.mesh.tile.TileCopies;
import org.trellis.mesh.tile.TilePlan;

/**
 * Tiles with redundancy (thesis, section 6.2, algorithm 9): a tile copies what it depends on into memory of its thread,
 * runs all loops there with maps of its own, and writes back what it owns. Dats of which other tiles read the values of
 * before are written back to a second memory, which the mesh exchanges for the first after the run.
 */
final class TeamCopies extends TeamChain {
    private final Map<Dat, Integer> numbers = new HashMap<>();
    private final List<Dat> dats = new ArrayList<>();
    private final boolean[] written;
    private final boolean[] needed;
    private final int[] capacity;
    private final DatCopy[] copies;
    private final TileRanges[] own;
    private final TileRanges[] others;
    /** For each unit the memory of each dat. */
    private final Object[][] scratch;
    private final HostBinding[][] bindings;

    TeamCopies(List<ChainLoop> loops, List<LoopStyle> styles, TilePlan plan, WorkerTeam team) {
        super(loops, plan, team);
        ChainAccess chain = ChainAccess.of(loops);
        chain.dats().keySet().forEach(dat -> {
            numbers.put(dat, dats.size());
            dats.add(dat);
        });
        written = new boolean[dats.size()];
        needed = new boolean[dats.size()];
        capacity = new int[dats.size()];
        copies = new DatCopy[dats.size()];
        for (int d = 0; d < written.length; d++) {
            Dat dat = dats.get(d);
            written[d] = chain.dats().get(dat);
            needed[d] = chain.needsBefore(dat);
            for (TileCopies tile : plan.copies()) {
                capacity[d] = Math.max(capacity[d], tile.elements().get(dat.set()).length);
            }
            if (written[d] && needed[d]) {
                copies[d] = new DatCopy(dat, HostStorage.zeros(dat.type(), dat.set().size() * dat.components()));
            }
        }
        own = new TileRanges[loops.size()];
        others = new TileRanges[loops.size()];
        for (int i = 0; i < own.length; i++) {
            prepare(i, styles.get(i));
        }
        scratch = new Object[units()][];
        bindings = new HostBinding[units()][];
    }

    /** Makes the code of a loop on copies, in the layouts of the dats, and parts its elements by who owns them. */
    private void prepare(int i, LoopStyle style) {
        LoopDeclaration loop = loops().get(i);
        HostBinding binding = new HostBinding(loop, false, new Object[loop.arity()]);
        for (int a = 0; a < loop.arity(); a++) {
            if (loop.dat(a) != null) {
                binding.strides(a, loop.dat(a).elementStride(), componentStride(numbers.get(loop.dat(a))));
            }
        }
        RangeLoop ranges = loop.kernel().loop(style, loop.precision(), binding.shape(false));
        RangeLoop lists = loop.kernel().loop(style, loop.precision(), binding.shape(true));
        TileRanges[] parts = TileRanges.parted(plan(), i, ranges, lists);
        own[i] = parts[0];
        others[i] = parts[1];
    }

    private static boolean isSideBySide(Dat dat) {
        return dat.layout() == Layout.AOS || dat.components() == 1;
    }

    private int componentStride(int d) {
        return isSideBySide(dats.get(d)) ? 1 : capacity[d];
    }

    @Override
    void bind() {
        for (int i = 0; i < own.length; i++) {
            for (int a = 0; a < loops().get(i).arity(); a++) {
                reductions(i).rebind(a);
            }
            for (HostBinding[] ofUnit : bindings) {
                if (ofUnit != null) {
                    ofUnit[i].readScalars();
                }
            }
        }
    }

    /** Makes the memory of a unit, on the thread that uses it first. */
    private void allocate(int unit) {
        scratch[unit] = new Object[dats.size()];
        for (int d = 0; d < scratch[unit].length; d++) {
            scratch[unit][d] =
                    HostStorage.zeros(dats.get(d).type(), capacity[d] * dats.get(d).components()).array();
        }
        bindings[unit] = new HostBinding[loops().size()];
        for (int i = 0; i < bindings[unit].length; i++) {
            LoopDeclaration loop = loops().get(i);
            bindings[unit][i] = new HostBinding(loop, false, new Object[loop.arity()]);
            bindings[unit][i].readScalars();
            for (int a = 0; a < loop.arity(); a++) {
                if (loop.dat(a) != null) {
                    bindings[unit][i].arguments().data(a, scratch[unit][numbers.get(loop.dat(a))]);
                }
            }
        }
    }

    @Override
    void runTile(int unit, int tile) {
        if (scratch[unit] == null) {
            allocate(unit);
        }
        TileCopies copy = plan().copies().get(tile);
        long time = System.nanoTime();
        for (int d = 0; d < written.length; d++) {
            if (needed[d]) {
                Dat dat = dats.get(d);
                int[] elements = copy.elements().get(dat.set());
                move(d, elements, elements.length, ((HostStorage) dat.storage()).array(), scratch[unit][d], true);
            }
        }
        for (int i = 0; i < own.length; i++) {
            LoopArguments here = bindings[unit][i].arguments();
            point(here, i, copy);
            reductions(i).start(range(unit, i));
            own[i].run(tile, here, range(unit, i));
            reductions(i).keep(tile, range(unit, i));
            others[i].run(tile, here, range(unit, i));
            time = took(unit, i, time);
        }
        for (int d = 0; d < written.length; d++) {
            if (written[d]) {
                Dat dat = dats.get(d);
                HostStorage to = (HostStorage) (copies[d] == null ? dat.storage() : copies[d].spare());
                MeshSet set = dat.set();
                move(d, copy.elements().get(set), copy.own().get(set), to.array(), scratch[unit][d], false);
            }
        }
    }

    /** Gives a loop the maps of a tile. */
    private void point(LoopArguments here, int i, TileCopies copy) {
        LoopDeclaration loop = loops().get(i);
        for (int a = 0; a < loop.arity(); a++) {
            MeshMap map = loop.map(a);
            if (map == null) {
                continue;
            }
            TileCopies.LocalMap local = copy.maps().get(map);
            if (map.arity() == MeshMap.VARIABLE) {
                here.variableTargets(a, local.offsets(), local.entries());
            } else if (loop.entry(a) == IndirectArgument.ALL) {
                here.targets(a, local.columns());
            } else {
                here.targets(a, local.columns()[loop.entry(a)]);
            }
        }
    }

    /** Copies values between a dat's memory and a tile's, consecutive elements at once. */
    @SuppressWarnings("SuspiciousSystemArraycopy") // both are arrays of one primitive type
    private void move(int d, int[] elements, int count, Object whole, Object part, boolean in) {
        Dat dat = dats.get(d);
        int stride = dat.elementStride();
        int rows = isSideBySide(dat) ? 1 : dat.components();
        int first = 0;
        while (first < count) {
            int end = first + 1;
            while (end < count && elements[end] == elements[end - 1] + 1) {
                end++;
            }
            for (int row = 0; row < rows; row++) {
                int far = row * dat.set().size() + elements[first] * stride;
                int near = row * capacity[d] + first * stride;
                if (in) {
                    System.arraycopy(whole, far, part, near, (end - first) * stride);
                } else {
                    System.arraycopy(part, near, whole, far, (end - first) * stride);
                }
            }
            first = end;
        }
    }

    @Override
    public List<DatCopy> copies() {
        return Arrays.stream(copies).filter(copy -> copy != null).toList();
    }
}
