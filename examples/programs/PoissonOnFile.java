import org.trellis.fem.PoissonProblem;
import org.trellis.fem.file.CellMeshes;

void main(String[] arguments) throws IOException {
    var mesh = CellMeshes.read(Path.of(arguments[0]));
    var problem = PoissonProblem.on(mesh).degree(2).source(x -> 1);
    IO.println(problem.solve().report());
}
