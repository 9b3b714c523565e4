import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.matrices.catalogue.Catalogue;
import org.trellis.sparse.algebra.Reductions;

/** Ranks the vertices of a directed graph by its links; try wiki-Vote. */
void main(String[] arguments) throws Exception {
    var graph = Catalogue.open(Configuration.load()).named(arguments[0]).load(Precision.F64, ProgressListener.NONE);
    var links = Reductions.rowSums(graph.mapValues(weight -> 1)).toDoubleArray();
    var follow = graph.mapValues((from, to, weight) -> 0.85 / links[from]).transpose();
    var rank = DoubleStream.generate(() -> 1.0 / links.length).limit(links.length).toArray();
    for (double change = 1; change > 1e-12;) {
        var next = follow.multiply(rank);
        double elsewhere = (1 - DoubleStream.of(next).sum()) / links.length;    // those who jump, or find no link
        var before = rank;
        rank = DoubleStream.of(next).map(part -> part + elsewhere).toArray();
        var now = rank;
        change = IntStream.range(0, now.length).mapToDouble(v -> Math.abs(now[v] - before[v])).sum();
    }
    var ranks = rank;
    IntStream.range(0, ranks.length).boxed().sorted(Comparator.comparingDouble(v -> -ranks[v])).limit(5)
            .forEach(v -> IO.println("vertex " + v + " " + ranks[v]));
}
