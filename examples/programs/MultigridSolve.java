import org.trellis.matrices.MatrixFiles;
import org.trellis.systems.Solvers;

void main(String[] arguments) throws Exception {
    var a = MatrixFiles.read(Path.of(arguments[0]));
    var b = DoubleStream.generate(() -> 1).limit(a.rows()).toArray();
    IO.println(Solvers.cg(a).multigrid().solve(b));
}
