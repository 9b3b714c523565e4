import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.matrices.catalogue.Catalogue;
import org.trellis.solve.eigen.Eigenvalues;
import org.trellis.sparse.algebra.GraphLaplacian;

/** Divides a graph into halves by the signs of its Fiedler vector less the median; try delaunay_n15. */
void main(String[] arguments) throws Exception {
    var graph = Catalogue.open(Configuration.load()).named(arguments[0]).load(Precision.F64, ProgressListener.NONE);
    var edges = graph.filter((i, j, weight) -> i != j).mapValues(weight -> 1);
    var fiedler = Eigenvalues.fiedler(GraphLaplacian.COMBINATORIAL.of(edges)).vectors().getFirst();
    double median = DoubleStream.of(fiedler).sorted().toArray()[fiedler.length / 2];
    var cut = edges.filter((i, j, weight) -> i < j && fiedler[i] < median != fiedler[j] < median);
    IO.println(cut.nonZeros() + " of " + edges.nonZeros() / 2 + " edges are cut");
}
