import org.trellis.matrices.MatrixFiles;
import org.trellis.tuner.product.online.TunedProducts;

void main(String[] arguments) throws Exception {
    try (var products = TunedProducts.open(Path.of(arguments[1]))) {
        IO.println(products.tune(MatrixFiles.read(Path.of(arguments[0]))));
        products.save("my matrices");
    }
}
