package org.trellis.mesh;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.trellis.common.Checks;
import org.trellis.common.Permutation;
import org.trellis.memory.DenseVector;
import org.trellis.mesh.device.DatStorage;
import org.trellis.mesh.device.ScalarType;
import org.trellis.mesh.loop.Layout;
import org.trellis.mesh.loop.SetExtent;
import org.trellis.mesh.loop.SetParts;

/** What has been declared in a mesh: sets, maps, data, patterns, and the names that are taken. */
final class MeshDeclarations {
    private final Mesh mesh;
    private final MeshState state;
    private final Set<String> names = new HashSet<>();
    private final List<MeshSet> sets = new ArrayList<>();
    private final List<MeshMap> maps = new ArrayList<>();
    private final List<Dat> dats = new ArrayList<>();
    private final List<Scalars> scalars = new ArrayList<>();
    private final List<AssemblyPattern> patterns = new ArrayList<>();

    MeshDeclarations(Mesh mesh, MeshState state) {
        this.mesh = mesh;
        this.state = state;
    }

    List<MeshSet> sets() {
        return sets;
    }

    List<MeshMap> maps() {
        return maps;
    }

    List<Dat> dats() {
        return dats;
    }

    List<AssemblyPattern> patterns() {
        return patterns;
    }

    // Names.

    private static String full(String kind, String name) {
        return kind + " '" + Objects.requireNonNull(name) + "'";
    }

    /** Refuses names that are taken, before anything is made. */
    void requireNew(String kind, String... wanted) {
        state.requireSettled();
        for (String name : wanted) {
            if (names.contains(full(kind, name))) {
                throw new IllegalArgumentException("the mesh has a " + full(kind, name)
                        + " already, expected another name");
            }
        }
    }

    String take(String kind, String name) {
        requireNew(kind, name);
        names.add(full(kind, name));
        return name;
    }

    void requireOwn(MeshSet set, String what) {
        if (set.mesh() != mesh) {
            throw new IllegalArgumentException(what + " on " + set + " of another mesh, expected a set of this one");
        }
    }

    // Sets and maps.

    MeshSet set(String name, int... extents) {
        requireNested("set '" + name + "'", extents);
        if (extents[0] != extents[extents.length - 1]) {
            mesh.division().requireOneRank("set '" + name + "' in parts");
        }
        mesh.division().requireWhole("set '" + name + "'");
        return add(new MeshSet(mesh, name, extents));
    }

    MeshSet set(String name, SetParts parts) {
        mesh.division().requireOneRank("set '" + name + "' in parts");
        return add(MeshSet.inRings(mesh, name, parts));
    }

    /** Makes a set that is not in the list yet. */
    MeshSet unlisted(String name, int size) {
        mesh.division().requireWhole("set '" + name + "'");
        return new MeshSet(mesh, name, size, size, size, size);
    }

    /** Takes up a set that has been made. */
    MeshSet add(MeshSet set) {
        take("set", set.name());
        sets.add(set);
        return set;
    }

    /** Declares the entries of a pattern whose rows are divided over ranks. */
    MeshSet entriesOnRanks(String name, int size, AssemblyPattern pattern) {
        MeshSet set = new MeshSet(mesh, name, size, size, size, size);
        set.pin(pattern);
        return add(set);
    }

    /** Declares maps to entries whose targets ranks have their shares of. */
    List<MeshMap> positionsOnRanks(List<String> mapNames, List<AssemblyPattern.Coupling> couplings, MeshSet entries) {
        List<MeshMap> made = new ArrayList<>();
        for (int c = 0; c < mapNames.size(); c++) {
            AssemblyPattern.Coupling coupling = couplings.get(c);
            MeshMap map = MeshMap.onRanks(mapNames.get(c), coupling.rows().from(), entries,
                    coupling.rows().arity() * coupling.columns().arity());
            take("map", map.name());
            maps.add(map);
            made.add(map);
        }
        return made;
    }

    /** Refuses sizes of parts that do not contain each other. */
    static void requireNested(String what, int... extents) {
        Checks.length("number of extents of " + what, extents.length, SetExtent.values().length);
        Checks.notNegative("size of " + what, extents[0]);
        if (extents[0] > extents[1] || extents[1] > extents[2] || extents[2] > extents[3]) {
            throw new IllegalArgumentException(what + " has " + extents[0] + " interior, " + extents[1] + " owned, "
                    + extents[2] + " executed and " + extents[3] + " elements in all, expected none to be less than "
                    + "before");
        }
    }

    MeshMap map(String name, MeshSet from, MeshSet to, int arity, int[] targets) {
        requireOwn(from, "map '" + name + "'");
        requireOwn(to, "map '" + name + "'");
        return add(MeshMap.fixed(name, from, to, arity, targets));
    }

    MeshMap map(String name, MeshSet from, MeshSet to, int[] offsets, int[] targets) {
        requireOwn(from, "map '" + name + "'");
        requireOwn(to, "map '" + name + "'");
        return add(MeshMap.variable(name, from, to, offsets, targets));
    }

    MeshMap add(MeshMap map) {
        mesh.division().requireWhole(map.toString());
        take("map", map.name());
        maps.add(map);
        return map;
    }

    void add(AssemblyPattern pattern) {
        patterns.add(pattern);
    }

    // Data.

    Dat dat(String name, MeshSet set, int components, ScalarType type) {
        Checks.positive("number of components of dat '" + name + "'", components);
        requireOwn(set, "dat '" + name + "'");
        requireNew("dat", name);
        int length = Dat.length(name, components, set.toString(), set.size());
        Dat dat = new Dat(name, set, components, type, mesh.options().layout(), made -> values(made, length));
        take("dat", name);
        if (mesh.division().divided()) {
            dat.divide(mesh.division().local().dat(dat, null));
        }
        dats.add(dat);
        return dat;
    }

    /** Makes what has the values of a dat that is new: zeros, without memory where the mesh is for ranks. */
    @SuppressWarnings("MustBeClosed") // the dat's, which is closed with the mesh
    private DatHandle values(Dat dat, int length) {
        return mesh.division().ranked()
                ? new DatHandle.Zeros(dat, length)
                : new WholeDat(dat, mesh.kernels().allocate(dat.type(), length));
    }

    /** Makes a dat of a vector's memory. */
    Dat dat(String name, MeshSet set, int components, DenseVector vector) {
        mesh.running().requireSeen("dat '" + name + "' on a vector");
        Checks.positive("number of components of dat '" + name + "'", components);
        requireOwn(set, "dat '" + name + "'");
        mesh.division().requireOneRank("dat '" + name + "' on a vector");
        VectorDats.check(name, set, components, vector, dats);
        requireNew("dat", name);
        DatStorage storage = mesh.kernels().wrap(vector);
        Dat dat = new Dat(name, set, components, storage.type(), Layout.AOS,
                made -> WholeDat.on(vector, made, storage));
        take("dat", name);
        dats.add(dat);
        return dat;
    }

    static void checkValues(String name, MeshSet set, int components, int values) {
        Checks.length("number of values for dat '" + name + "' of " + components + " components on " + set, values,
                (long) set.size() * Checks.positive("number of components of dat '" + name + "'", components));
    }

    Scalars scalars(String name, int count) {
        Checks.positive("number of scalars '" + name + "'", count);
        requireNew("scalars", name);
        @SuppressWarnings("MustBeClosed") // the scalars', which are released with the mesh
        DatStorage storage = mesh.kernels().allocate(ScalarType.F64, count);
        Scalars made = new Scalars(mesh, name, storage);
        take("scalars", name);
        scalars.add(made);
        return made;
    }

    /** Says whether ranks bring rows of maps or values. */
    private boolean isBrought() {
        return maps.stream().anyMatch(map -> map.brought().isPresent())
                || dats.stream().anyMatch(dat -> dat.brought().isPresent());
    }

    boolean has(Dat dat) {
        return dats.contains(dat);
    }

    void forget(Dat dat) {
        dats.remove(dat);
        names.remove(full("dat", dat.name()));
    }

    // Numbering.

    /** Renumbers a set, and those whose numbering follows it. */
    void renumber(MeshSet set, Permutation permutation) {
        mesh.running().settle();
        state.requireSettled();
        requireOwn(set, "renumbering");
        mesh.running().requireUnseen("renumbering");
        set.requireFree("renumbering");
        set.requireUnringed();
        if (isBrought()) {
            throw new IllegalArgumentException("renumbering of " + set + " of a mesh to which ranks bring rows, "
                    + "expected one that is declared whole");
        }
        Checks.length("size of the permutation for " + set, permutation.size(), set.size());
        set.requireParts(permutation);
        move(set, permutation);
        for (AssemblyPattern pattern : patterns) {
            Permutation following = pattern.follow(set, permutation);
            if (following != null) {
                move(pattern.entries(), following);
            }
        }
        state.structureChanged();
    }

    private void move(MeshSet set, Permutation permutation) {
        for (MeshMap map : maps) {
            if (map.to() == set) {
                map.renumberTargets(permutation);
            }
            if (map.from() == set) {
                map.renumberElements(permutation);
            }
        }
        for (Dat dat : dats) {
            if (dat.set() == set) {
                dat.renumber(permutation);
            }
        }
        set.renumber(permutation);
        dats.forEach(Dat::follow);
    }

    void release() {
        dats.forEach(Dat::release);
        scalars.forEach(Scalars::release);
    }
}
