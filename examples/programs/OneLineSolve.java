import org.trellis.matrices.MatrixFiles;
import org.trellis.systems.LinearSystems;

void main(String[] arguments) throws Exception {
    IO.println(Arrays.toString(LinearSystems.solve(MatrixFiles.read(Path.of(arguments[0])), new double[]{6, 7})));
}
