import org.trellis.fem.PoissonProblem;
import org.trellis.fem.element.ElementShape;
import org.trellis.fem.space.StructuredMeshes;

double exact(double[] x) {
    return Math.sin(Math.PI * x[0]) * Math.sin(Math.PI * x[1]);
}

void main() {
    var mesh = StructuredMeshes.unit(ElementShape.QUADRILATERAL, 16, x -> x);
    var problem = PoissonProblem.on(mesh).degree(2).source(x -> 2 * Math.PI * Math.PI * exact(x));
    IO.println(problem.solve().error(this::exact));
}
