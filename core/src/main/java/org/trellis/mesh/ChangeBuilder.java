package org.trellis.mesh;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.trellis.common.Checks;
import org.trellis.kernel.Access;
import org.trellis.mesh.device.DatStorage;
import org.trellis.mesh.device.HostStorage;

/**
 * Makes what a {@link MeshChange} asks for beside what is there: new shapes of sets, targets of maps and memory of
 * dats, all of them checked. Only {@link #commit}, which cannot fail, puts it in place.
 */
final class ChangeBuilder {
    private static final int GONE = -1;
    private static final int SEVERAL = -2;

    private final Mesh mesh;
    private final MeshChange change;
    private final Map<MeshSet, SetShape> shapes = new LinkedHashMap<>();
    private final Map<MeshMap, MapTargets> targets = new LinkedHashMap<>();
    private final Map<Dat, DatStorage> storages = new LinkedHashMap<>();
    private final List<Runnable> patterns = new ArrayList<>();
    private final List<DatStorage> fresh = new ArrayList<>();

    ChangeBuilder(Mesh mesh, MeshChange change) {
        this.mesh = mesh;
        this.change = change;
    }

    /** Changes a mesh as a function says, or leaves it as it is. */
    static void change(Mesh mesh, MeshState state, Consumer<MeshChange> edit) {
        state.requireSettled();
        mesh.running().settle();
        mesh.division().requireWhole("a change");
        mesh.running().requireUnseen("a change");
        MeshChange change = new MeshChange(mesh);
        ChangeBuilder builder = new ChangeBuilder(mesh, change);
        state.whileChanging(() -> {
            try {
                edit.accept(change);
            } finally {
                change.end();
            }
            builder.build();
        });
        builder.commit();
    }

    /** Makes and checks everything. If that fails, nothing is left behind. */
    void build() {
        boolean done = false;
        try {
            change.elements().forEach((set, elements) -> shapes.put(set,
                    SetShape.changed(set, elements.extents(), elements.origins())));
            change.targets().forEach(this::given);
            for (MeshMap map : mesh.maps()) {
                if (!map.to().pinned() && !targets.containsKey(map)
                        && (shapes.containsKey(map.from()) || shapes.containsKey(map.to()))) {
                    derive(map);
                }
            }
            for (AssemblyPattern pattern : mesh.declarations().patterns()) {
                patterns.add(pattern.rebuild(shapes, targets));
            }
            mesh.loops().forEach(loop -> checkWrites(loop.declaration()));
            for (Dat dat : mesh.dats()) {
                if (change.values().containsKey(dat) || shapes.containsKey(dat.set())) {
                    mesh.running().requireUnbound(dat);
                    transfer(dat);
                }
            }
            done = true;
        } finally {
            if (!done) {
                fresh.forEach(DatStorage::close);
            }
        }
    }

    private SetShape shape(MeshSet set) {
        SetShape changed = shapes.get(set);
        return changed == null ? SetShape.of(set) : changed;
    }

    // Maps.

    private void given(MeshMap map, MeshChange.Rows rows) {
        targets.put(map, targets(map, rows.offsets(), rows.targets()));
    }

    private MapTargets targets(MeshMap map, int[] offsets, int[] wanted) {
        SetShape from = shape(map.from());
        SetShape to = shape(map.to());
        return map.arity() == MeshMap.VARIABLE
                ? MapTargets.variable(map.name(), from, to, offsets, wanted)
                : MapTargets.fixed(map.name(), from, to, map.arity(), wanted);
    }

    /** Each element has its origin's targets, as what they have become. */
    private void derive(MeshMap map) {
        SetShape from = shape(map.from());
        int[] old = map.toArray();
        int[] oldOffsets = map.arity() == MeshMap.VARIABLE ? map.rowOffsets() : null;
        int[] successors = successors(map.to());
        int[] offsets = new int[from.size() + 1];
        for (int element = 0; element < from.size(); element++) {
            int origin = from.origin(element);
            if (origin < 0) {
                throw new IllegalArgumentException("element " + element + " of set '" + from.name() + "' is new, and "
                        + map + " is given no targets, expected targets of all elements");
            }
            int length = oldOffsets == null ? map.arity() : oldOffsets[origin + 1] - oldOffsets[origin];
            offsets[element + 1] = Math.addExact(offsets[element], length);
        }
        int[] wanted = new int[offsets[from.size()]];
        for (int element = 0; element < from.size(); element++) {
            int origin = from.origin(element);
            int first = oldOffsets == null ? origin * map.arity() : oldOffsets[origin];
            for (int p = offsets[element]; p < offsets[element + 1]; p++) {
                int target = old[first + p - offsets[element]];
                wanted[p] = successors[target];
                if (wanted[p] < 0) {
                    throw new IllegalArgumentException(map + " is given no targets, but element " + origin
                            + " leads to element " + target + " of set '" + map.to().name() + "', which "
                            + (wanted[p] == GONE ? "is gone" : "becomes several")
                            + ", expected targets of all elements");
                }
            }
        }
        targets.put(map, targets(map, offsets, wanted));
    }

    /** What each old element has become. */
    private int[] successors(MeshSet set) {
        SetShape shape = shape(set);
        if (!shape.changed()) {
            return IntStream.range(0, set.size()).toArray();
        }
        int[] successors = new int[set.size()];
        Arrays.fill(successors, GONE);
        for (int element = 0; element < shape.size(); element++) {
            int origin = shape.origin(element);
            if (origin >= 0) {
                successors[origin] = successors[origin] == GONE ? element : SEVERAL;
            }
        }
        return successors;
    }

    // Loops.

    /** Repeats the checks of a declaration that depend on targets. */
    private void checkWrites(LoopDeclaration loop) {
        for (int a = 0; a < loop.arity(); a++) {
            MapTargets next = loop.map(a) == null ? null : targets.get(loop.map(a));
            boolean writes = loop.access(a) == Access.WRITE || loop.access(a) == Access.READ_WRITE;
            if (next != null && writes) {
                SetShape to = shape(loop.map(a).to());
                int target = next.repeatedTarget(loop.entry(a), to.size());
                if (target >= 0) {
                    int users = to.order() == null ? target : to.order().inverse().newIndex(target);
                    throw LoopChecks.writtenTwice(loop.where(a), loop.dat(a), loop.map(a), users);
                }
            }
            for (int b = 0; b < loop.arity() && writes && loop.map(a) != null; b++) {
                checkApart(loop, a, b);
            }
        }
    }

    /** What an argument writes and another reads of the same dat are still different elements. */
    @SuppressWarnings("ReferenceEquality") // a dat is what it is
    private void checkApart(LoopDeclaration loop, int writer, int reader) {
        MeshMap written = loop.map(writer);
        MeshMap read = loop.map(reader);
        if (writer == reader || read == null || loop.dat(writer) != loop.dat(reader)
                || (!targets.containsKey(written) && !targets.containsKey(read))) {
            return;
        }
        SetShape to = shape(written.to());
        int target = targets.getOrDefault(written, written.targets()).commonTarget(loop.entry(writer),
                targets.getOrDefault(read, read.targets()), loop.entry(reader), to.size());
        if (target >= 0) {
            throw LoopChecks.readAndWritten(loop.where(writer), loop.dat(writer), written, read,
                    to.order() == null ? target : to.order().inverse().newIndex(target));
        }
    }

    // Dats.

    private void transfer(Dat dat) {
        if (dat.isOnVector()) {
            throw new IllegalArgumentException("change of " + dat + ", whose values are those of a vector, expected "
                    + "the dat to be closed before and made anew afterwards");
        }
        SetShape shape = shape(dat.set());
        int length = Dat.length(dat.name(), dat.components(), dat.set().toString(), shape.size());
        DatTransfer rule = change.values().getOrDefault(dat, new TransferCopies(dat.components(), 0));
        int[] origins = shape.changed() ? shape.origins() : IntStream.range(0, shape.size()).toArray();
        double[] values = rule.transfer(dat.toArray(), origins);
        Checks.length("number of new values for " + dat, values.length, length);
        HostStorage wanted = HostStorage.zeros(dat.type(), length);
        dat.place(wanted, values, shape);
        @SuppressWarnings("MustBeClosed") // the dat's once all is in place
        DatStorage storage = mesh.kernels().allocate(dat.type(), length);
        fresh.add(storage);
        storage.copyFrom(wanted);
        storages.put(dat, storage);
    }

    /** Puts everything in place. */
    void commit() {
        shapes.forEach((set, shape) -> set.change(shape.extents()));
        targets.forEach(MeshMap::targets);
        patterns.forEach(Runnable::run);
        List<DatStorage> old = new ArrayList<>();
        storages.forEach((dat, storage) -> old.add(dat.replace(storage)));
        for (ParallelLoop loop : mesh.loops()) {
            if (concerns(loop.declaration())) {
                loop.changed();
            }
        }
        mesh.structureChanged();
        old.forEach(DatStorage::close);
    }

    /** Says whether what a loop moves is no longer what it was. */
    private boolean concerns(LoopDeclaration loop) {
        boolean concerned = shapes.containsKey(loop.set());
        for (int a = 0; a < loop.arity(); a++) {
            concerned |= loop.map(a) != null && targets.containsKey(loop.map(a));
            concerned |= loop.dat(a) != null && shapes.containsKey(loop.dat(a).set());
        }
        return concerned;
    }
}
