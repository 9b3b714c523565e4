package org.trellis.mesh;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.trellis.common.Permutation;
import org.trellis.common.Precision;
import org.trellis.mesh.device.PatternArrays;
import org.trellis.mesh.device.PatternKernels;
import org.trellis.mesh.device.PatternTables;
import org.trellis.mesh.loop.SetParts;

/**
 * The structure of a matrix that is assembled from element matrices, as part of a mesh. Entry (r, c) exists if some
 * element leads to r through a row map and to c through the column map that goes with it. The entries are a set of the
 * mesh, values are a dat on it, and {@link #positions} lead from elements to the entries of their element matrices; so
 * assembly is an ordinary loop:
 *
 * <pre>{@code
 * AssemblyPattern pattern = AssemblyPattern.of("K", corners, corners);
 * Dat stiffness = pattern.values("stiffness", Precision.F64);
 * mesh.loop(StiffnessLoops.ADD, cells, x.at(corners), stiffness.at(pattern.positions())).run();
 * }</pre>
 *
 * <p>whose kernel takes {@code @Increment(value = 1, entries = 9) double[][] k}, with row i and column j of the element
 * matrix in {@code k[3 * i + j]}.
 *
 * <p>The set of entries is pinned: in the current numbering, entries are sorted by row and, within a row, by column, as
 * {@link #rowOffsets} and {@link #columnIndices} say, so that a dat of values is a matrix in compressed rows as it
 * stands. The set refuses to be renumbered, and follows when rows or columns are. When a {@link Mesh#change} concerns
 * the pattern's maps or sets, the pattern is made anew with it and values start from 0.
 *
 * <p>Making a pattern divides a mesh over ranks; each rank then finds the entries of its own rows, and no rank has them
 * all. The user's numbers of entries are those of one rank. All sets and maps are declared before.
 */
public final class AssemblyPattern {
    private final Mesh mesh;
    private final String name;
    private final List<Coupling> couplings;
    private final MeshSet entries;
    private final List<MeshMap> positions;
    /** What this rank has of it, else null. */
    private final RankedPattern ranked;
    private int[] rowOffsets;
    private int[] columnIndices;

    /**
     * Two maps from one set: what an element leads to through them is coupled.
     *
     * @param rows    leads to the rows of each element, of fixed arity
     * @param columns leads to the columns of each element, of fixed arity
     */
    public record Coupling(MeshMap rows, MeshMap columns) {
        /**
        * Checks that the maps go together.
        *
        * @throws IllegalArgumentException if the maps start from two sets or have variable arity
        */
        public Coupling {
            if (rows.from() != columns.from()) {
                throw new IllegalArgumentException("rows by " + rows + " and columns by " + columns
                        + ", expected maps from one set");
            }
            for (MeshMap map : List.of(rows, columns)) {
                if (map.arity() == MeshMap.VARIABLE) {
                    throw new IllegalArgumentException("pattern by " + map + ", expected maps of fixed arity; "
                            + "elements of different kinds are sets of their own with a coupling each");
                }
            }
        }
    }

    private AssemblyPattern(String name, List<Coupling> couplings) {
        this.name = Objects.requireNonNull(name);
        this.couplings = List.copyOf(couplings);
        this.mesh = rows().mesh();
        List<String> mapNames = new ArrayList<>();
        for (int c = 0; c < couplings.size(); c++) {
            mapNames.add(name + " positions" + (c == 0 ? "" : " " + (c + 1)));
        }
        MeshDeclarations declarations = mesh.declarations();
        declarations.requireNew("set", name + " entries");
        declarations.requireNew("map", mapNames.toArray(String[]::new));
        if (mesh.division().ranked()) {
            requireDividable();
            this.ranked = mesh.division().local().pattern(name, couplings);
            this.entries = declarations.entriesOnRanks(name + " entries", ranked.entries(), this);
            this.positions = declarations.positionsOnRanks(mapNames, couplings, entries);
            ranked.bind(entries, positions);
            return;
        }
        this.ranked = null;
        PatternArrays made = build(Map.of(), Map.of());
        this.rowOffsets = made.rowOffsets();
        this.columnIndices = made.columnIndices();
        this.entries = declarations.add(entriesOf(name + " entries"));
        List<MeshMap> maps = new ArrayList<>();
        for (int c = 0; c < couplings.size(); c++) {
            maps.add(declarations.add(MeshMap.current(mapNames.get(c), couplings.get(c).rows().from(), entries,
                    MapTargets.current(made.positions().get(c)))));
        }
        this.positions = List.copyOf(maps);
        declarations.add(this);
    }

    /** Makes the set of entries: of rows that are in rings in rings, too. */
    private MeshSet entriesOf(String setName) {
        Optional<SetParts> rings = rows().rings();
        MeshSet set = rings.isEmpty()
                ? mesh.declarations().unlisted(setName, columnIndices.length)
                : MeshSet.inRings(mesh, setName, new SetParts(rowOffsets[rings.get().owned()],
                        rings.get().ends().stream().map(end -> rowOffsets[end]).toList()));
        set.pin(this);
        return set;
    }

    /** Refuses what cannot be derived from what each rank has. */
    private void requireDividable() {
        if (mesh.options().checkpoints().isPresent()) {
            throw new IllegalArgumentException("pattern '" + name + "' of a mesh over ranks with checkpoints, which "
                    + "compare maps as a whole; expected a mesh without checkpoints, or on one rank");
        }
        if (rows().isReplicated() || columns().isReplicated()) {
            throw new IllegalArgumentException("pattern '" + name + "' of " + rows() + " and " + columns()
                    + ", of which every rank has all, expected sets that are divided over ranks");
        }
    }

    /**
     * Finds the entries that one kind of elements makes.
     *
     * @param name    for messages; its set and maps are named after it
     * @param rows    leads to the rows of each element
     * @param columns leads to the columns of each element; may be the same map
     * @return the pattern, made by the backend's {@link PatternKernels} and closed with the mesh
     * @throws IllegalArgumentException if the maps have variable arity or start from two sets, there would be too many
     *                                  entries, or the name is taken
     * @throws org.trellis.common.UnsupportedKernelException if the backend makes no patterns
     * @throws IllegalStateException    if the mesh is closed or being changed
     */
    public static AssemblyPattern of(String name, MeshMap rows, MeshMap columns) {
        return of(name, List.of(new Coupling(rows, columns)));
    }

    /**
     * Finds the entries that several kinds of elements make together, for example cells and parts of the boundary.
     *
     * @param name      for messages; its set and maps are named after it
     * @param couplings one for each kind, at least one; all row maps lead to one set, and so do all column maps
     * @return the pattern, made by the backend's {@link PatternKernels} and closed with the mesh
     * @throws IllegalArgumentException if there is no coupling, they lead to different sets, there would be too many
     *                                  entries, or the name is taken
     * @throws org.trellis.common.UnsupportedKernelException if the backend makes no patterns
     * @throws IllegalStateException    if the mesh is closed or being changed
     */
    public static AssemblyPattern of(String name, List<Coupling> couplings) {
        if (couplings.isEmpty()) {
            throw new IllegalArgumentException("pattern '" + name + "' has no coupling, expected at least one");
        }
        Coupling first = couplings.getFirst();
        for (Coupling coupling : couplings) {
            if (coupling.rows().to() != first.rows().to() || coupling.columns().to() != first.columns().to()
                    || coupling.rows().to().mesh() != coupling.columns().to().mesh()) {
                throw new IllegalArgumentException("pattern '" + name + "' of " + coupling.rows() + " and "
                        + coupling.columns() + ", expected rows in " + first.rows().to() + " and columns in "
                        + first.columns().to() + " of one mesh");
            }
        }
        return new AssemblyPattern(name, couplings);
    }

    /**
     * Returns the name.
     *
     * @return as declared
     */
    public String name() {
        return name;
    }

    /**
     * Returns the rows.
     *
     * @return a set of the mesh
     */
    public MeshSet rows() {
        return couplings.getFirst().rows().to();
    }

    /**
     * Returns the columns.
     *
     * @return a set of the mesh, perhaps that of the rows
     */
    public MeshSet columns() {
        return couplings.getFirst().columns().to();
    }

    /**
     * Returns the entries.
     *
     * @return a pinned set; the user's numbers are those of the order in which the pattern was made
     */
    public MeshSet entries() {
        return entries;
    }

    /**
     * Returns the map from the elements of the first coupling to entries.
     *
     * @return a map whose entry {@code i * columnArity + j} leads to that of the element's row i and column j
     */
    public MeshMap positions() {
        return positions.getFirst();
    }

    /**
     * Returns the map from the elements of a coupling to entries.
     *
     * @param coupling its number, from 0
     * @return a map whose entry {@code i * columnArity + j} leads to that of the element's row i and column j
     * @throws IndexOutOfBoundsException if there is no such coupling
     */
    public MeshMap positions(int coupling) {
        return positions.get(Objects.checkIndex(coupling, positions.size()));
    }

    /**
     * Declares a dat of values, all zero.
     *
     * @param datName   for messages; no other dat has it
     * @param precision the precision
     * @return a dat of one component on {@link #entries}
     */
    public Dat values(String datName, Precision precision) {
        return mesh.dat(datName, entries, 1, precision);
    }

    /**
     * Returns where rows start, in the current numbering of rows and entries.
     *
     * @return one more than there are rows; the array itself, not to be changed, replaced when the pattern follows a
     *         renumbering or a change
     * @throws IllegalStateException if the mesh is over ranks, none of which has all rows
     */
    public int[] rowOffsets() {
        requireWhole();
        return rowOffsets;
    }

    /**
     * Returns the columns of the entries, in the current numbering of columns and entries.
     *
     * @return rising within a row; the array itself, not to be changed, replaced when the pattern follows a renumbering
     *         or a change
     * @throws IllegalStateException if the mesh is over ranks, none of which has all rows
     */
    public int[] columnIndices() {
        requireWhole();
        return columnIndices;
    }

    private void requireWhole() {
        if (ranked != null) {
            throw new IllegalStateException("rows of " + this + " over ranks, none of which has all of them; expected "
                    + "them to be taken by AssembledSystem.of(pattern, values)");
        }
    }

    /**
     * Returns what this rank has of the pattern.
     *
     * @return empty on one rank
     */
    public Optional<RankedPattern> onRank() {
        return Optional.ofNullable(ranked);
    }

    /**
     * Finds an entry. Takes a bisection of its row, and a pass over the entries if those have been renumbered.
     *
     * @param row    the user's number of the row
     * @param column the user's number of the column
     * @return the user's number of the entry, for {@link Dat#get}; -1 if there is none. Over ranks all call this
     * @throws IndexOutOfBoundsException if there is no such row or column
     */
    public int entry(int row, int column) {
        int currentRow = rows().current(row);
        if (ranked != null) {
            columns().current(column);
            return ranked.entry(row, column);
        }
        int place = Arrays.binarySearch(columnIndices, rowOffsets[currentRow], rowOffsets[currentRow + 1],
                columns().current(column));
        if (place < 0) {
            return -1;
        }
        return entries.inUserOrder() ? place : entries.order().inverse().newIndex(place);
    }

    // What the mesh asks for.

    private PatternArrays build(Map<MeshSet, SetShape> shapes, Map<MeshMap, MapTargets> targets) {
        List<PatternTables.Block> blocks = new ArrayList<>();
        for (Coupling coupling : couplings) {
            blocks.add(new PatternTables.Block(elements(coupling.rows().from(), shapes),
                    targets.getOrDefault(coupling.rows(), coupling.rows().targets()).columns(),
                    targets.getOrDefault(coupling.columns(), coupling.columns().targets()).columns()));
        }
        return mesh.backend().kernels(PatternKernels.class)
                .build(new PatternTables(size(rows(), shapes), size(columns(), shapes), blocks));
    }

    /** Elements that have rows in maps. */
    private static int elements(MeshSet set, Map<MeshSet, SetShape> shapes) {
        SetShape shape = shapes.get(set);
        return shape == null ? set.withRows() : shape.size();
    }

    private static int size(MeshSet set, Map<MeshSet, SetShape> shapes) {
        SetShape shape = shapes.get(set);
        return shape == null ? set.size() : shape.size();
    }

    /** Makes the pattern of a mesh that is about to change, unless the change leaves it alone; puts it beside. */
    Runnable rebuild(Map<MeshSet, SetShape> shapes, Map<MeshMap, MapTargets> targets) {
        boolean concerned = shapes.containsKey(rows()) || shapes.containsKey(columns());
        for (Coupling coupling : couplings) {
            concerned |= targets.containsKey(coupling.rows()) || targets.containsKey(coupling.columns());
        }
        if (!concerned) {
            return () -> {};
        }
        PatternArrays made = build(shapes, targets);
        int[] origins = new int[made.columnIndices().length];
        Arrays.fill(origins, -1);
        int size = origins.length;
        shapes.put(entries, SetShape.changed(entries, new int[]{size, size, size, size}, origins));
        for (int c = 0; c < positions.size(); c++) {
            targets.put(positions.get(c), MapTargets.current(made.positions().get(c)));
        }
        return () -> {
            rowOffsets = made.rowOffsets();
            columnIndices = made.columnIndices();
        };
    }

    /** Follows a renumbering of rows or columns; returns where entries go, or null if they stay. */
    Permutation follow(MeshSet set, Permutation permutation) {
        boolean rowsMove = set == rows();
        boolean columnsMove = set == columns();
        if (!rowsMove && !columnsMove) {
            return null;
        }
        Permutation oldRows = rowsMove ? permutation.inverse() : null;
        int[] offsets = new int[rowOffsets.length];
        int[] indices = new int[columnIndices.length];
        int[] places = new int[columnIndices.length];
        long[] sorted = new long[columnIndices.length];
        for (int row = 0; row + 1 < offsets.length; row++) {
            int old = rowsMove ? oldRows.newIndex(row) : row;
            int next = offsets[row];
            for (int k = rowOffsets[old]; k < rowOffsets[old + 1]; k++) {
                int column = columnsMove ? permutation.newIndex(columnIndices[k]) : columnIndices[k];
                sorted[next++] = (long) column << Integer.SIZE | k;
            }
            Arrays.sort(sorted, offsets[row], next);
            offsets[row + 1] = next;
        }
        for (int k = 0; k < sorted.length; k++) {
            indices[k] = (int) (sorted[k] >> Integer.SIZE);
            places[(int) sorted[k]] = k;
        }
        rowOffsets = offsets;
        columnIndices = indices;
        return Permutation.ofNewIndices(places);
    }

    @Override
    public String toString() {
        return "pattern '" + name + "' of " + entries.size() + " entries in " + rows().size() + " rows and "
                + columns().size() + " columns";
    }
}
