package org.trellis.fem;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import org.trellis.common.Checks;
import org.trellis.fem.space.CellMesh;
import org.trellis.fem.space.FunctionSpace;
import org.trellis.memory.HostVector;

/**
 * What a rank has of a space with constraints. A node belongs to the least of the ranks of its cells. A rank has its
 * cells and all that touch free unknowns of its own, so its rows are complete, whatever the storage. First come the
 * unknowns that it owns, those whose cells have unknowns of this rank only before the others, as rows of partitioned
 * matrices lie; then those of other ranks, in the order of the whole.
 */
final class LocalFormSpace {
    private final FormRanks ranks;
    private final Unknowns whole;
    private final Constraints all;
    private final Constraints constraints;
    private final int[] cells;
    /** The cells that the division gave to this rank. */
    private final int[] given;
    /** Nodes of the whole space by those of this rank's. */
    private final int[] nodes;
    private final int[] places;
    private final FormRanks.Numbers numbers;

    /** Divides. Collective. */
    LocalFormSpace(Constraints all, FormRanks ranks) {
        this.ranks = ranks;
        this.all = all;
        this.whole = new Unknowns(all).over(this);
        FunctionSpace space = all.space();
        int[] rankOf = ranks.divide(space.mesh());
        Checks.length("ranks of cells", rankOf.length, space.mesh().cells());
        int me = ranks.rank();
        this.given = IntStream.range(0, rankOf.length).filter(cell -> rankOf[cell] == me).toArray();
        int[] owners = owners(space, rankOf, ranks.ranks());
        this.cells = cells(space, rankOf, owners);
        CellMesh part = space.mesh().part(cells);
        FunctionSpace local = FunctionSpace.of(part, space.element());
        this.nodes = new int[local.nodes()];
        int n = space.element().nodes();
        for (int k = 0; k < local.cellNodes().length; k++) {
            nodes[local.cellNodes()[k]] = space.cellNodes()[cells[k / n] * n + k % n];
        }
        this.constraints = constraints(local);
        this.places = new int[nodes.length * all.fields()];
        this.numbers = number(local, owners);
    }

    private static int[] owners(FunctionSpace space, int[] rankOf, int ranks) {
        int[] owners = new int[space.nodes()];
        Arrays.fill(owners, ranks);
        int n = space.element().nodes();
        for (int k = 0; k < space.cellNodes().length; k++) {
            int node = space.cellNodes()[k];
            owners[node] = Math.min(owners[node], Checks.index("rank of cell " + k / n, rankOf[k / n], ranks));
        }
        return owners;
    }

    /** Returns the rank's cells and those that touch its free nodes; one, for its shape, where there are none. */
    private int[] cells(FunctionSpace space, int[] rankOf, int[] owners) {
        int n = space.element().nodes();
        int me = ranks.rank();
        int[] found = IntStream.range(0, rankOf.length).parallel()
                .filter(cell -> rankOf[cell] == me || IntStream.range(cell * n, cell * n + n)
                        .map(k -> space.cellNodes()[k]).anyMatch(node -> owners[node] == me && isFree(node)))
                .toArray();
        return found.length == 0 ? new int[]{0} : found;
    }

    private boolean isFree(int node) {
        for (int a = 0; a < all.fields(); a++) {
            if (!all.isFixed(node * all.fields() + a)) {
                return true;
            }
        }
        return false;
    }

    private Constraints constraints(FunctionSpace local) {
        Constraints own = Constraints.none(local, all.fields());
        for (int node = 0; node < nodes.length; node++) {
            for (int a = 0; a < all.fields(); a++) {
                int unknown = nodes[node] * all.fields() + a;
                if (all.isFixed(unknown)) {
                    own.fix(new int[]{node}, a, x -> all.value(unknown));
                }
            }
        }
        return own;
    }

    /** Places free unknowns, owned ones first, then constrained ones. */
    private FormRanks.Numbers number(FunctionSpace local, int[] owners) {
        int me = ranks.rank();
        boolean[] shared = shared(local, owners);
        int fields = all.fields();
        long[] keys = new long[places.length];
        int free = 0;
        int owned = 0;
        int fixed = places.length;
        for (int u = places.length - 1; u >= 0; u--) {
            int node = nodes[u / fields];
            int number = whole.place(node * fields + u % fields);
            if (number >= whole.free()) {
                places[u] = --fixed;
                continue;
            }
            boolean own = owners[node] == me;
            owned += own ? 1 : 0;
            long kind = !own ? 1 : shared[u / fields] ? 0 : -1;
            keys[free++] = (kind << (2 * Integer.SIZE - 2)) | ((long) number << (Integer.SIZE - 1)) | u;
        }
        Arrays.sort(keys, 0, free);
        int[] found = new int[free];
        for (int k = 0; k < free; k++) {
            int u = (int) keys[k] & Integer.MAX_VALUE;
            places[u] = k;
            found[k] = whole.place(nodes[u / fields] * fields + u % fields);
        }
        return new FormRanks.Numbers(whole.free(), found, owned);
    }

    /** Finds the nodes whose cells have free unknowns of several ranks. */
    private boolean[] shared(FunctionSpace local, int[] owners) {
        int n = local.element().nodes();
        int[] table = local.cellNodes();
        boolean[] shared = new boolean[nodes.length];
        for (int first = 0; first < table.length; first += n) {
            int least = Integer.MAX_VALUE;
            int most = -1;
            for (int k = first; k < first + n; k++) {
                if (isFree(nodes[table[k]])) {
                    least = Math.min(least, owners[nodes[table[k]]]);
                    most = Math.max(most, owners[nodes[table[k]]]);
                }
            }
            for (int k = first; k < first + n && least < most; k++) {
                shared[table[k]] = true;
            }
        }
        return shared;
    }

    FormRanks ranks() {
        return ranks;
    }

    /** Returns the unknowns of all ranks. */
    Unknowns whole() {
        return whole;
    }

    /** Returns the constraints of the whole. */
    Constraints all() {
        return all;
    }

    /** Returns those of the rank's cells. */
    Constraints constraints() {
        return constraints;
    }

    /** Returns the unknowns of the rank's cells. */
    Unknowns unknowns() {
        return new Unknowns(constraints, places, numbers.numbers().length);
    }

    /** Returns the cells of the whole mesh that this rank has. */
    int[] cells() {
        return cells;
    }

    /** Returns the cells that no other rank was given. */
    int[] given() {
        return given;
    }

    FormRanks.Numbers numbers() {
        return numbers;
    }

    int owned() {
        return numbers.owned();
    }

    /** Returns the first elements of a vector, which are the rank's own. */
    HostVector own(HostVector vector) {
        HostVector own = HostVector.zeros(vector.precision(), owned());
        vector.copyRange(0, own, 0, owned());
        return own;
    }

    /** Brings a vector to all ranks. Collective. */
    double[] gather(double... own) {
        double[] values = new double[numbers.total()];
        for (int k = 0; k < owned(); k++) {
            values[numbers.numbers()[k]] = own[k];
        }
        ranks.sum(values);
        return values;
    }

    /**
     * The boundary of the rank's cells has facets that are inside of the whole, where conditions do not hold; and of a
     * condition it may have no facet.
     *
     * @return the facets of the rank's cells that are on the boundary of the whole
     * @throws IllegalArgumentException if a condition holds on no facet of the whole
     */
    BitSet boundary(List<BoundaryCondition> conditions) {
        CellMesh mesh = all.space().mesh();
        int facets = mesh.shape().facets();
        BitSet of = new BitSet();
        for (BoundaryCondition condition : conditions) {
            FacetTerms.requireSome(condition, all.space());
        }
        if (conditions.isEmpty()) {
            return of;
        }
        BitSet there = new BitSet();
        IntStream.of(mesh.boundaryFacets()).forEach(there::set);
        for (int facet = 0; facet < cells.length * facets; facet++) {
            of.set(facet, there.get(cells[facet / facets] * facets + facet % facets));
        }
        return of;
    }

    /** Returns how many free unknowns each node has that this rank owns, one after the other. */
    int[] blockSizes() {
        List<Integer> sizes = new ArrayList<>();
        int[] nodeOf = new int[numbers.numbers().length];
        for (int u = 0; u < places.length; u++) {
            if (places[u] < nodeOf.length) {
                nodeOf[places[u]] = u / all.fields();
            }
        }
        for (int k = 0, size = 0; k < owned(); k++) {
            size++;
            if (k + 1 == owned() || nodeOf[k + 1] != nodeOf[k]) {
                sizes.add(size);
                size = 0;
            }
        }
        return sizes.stream().mapToInt(Integer::intValue).toArray();
    }
}
