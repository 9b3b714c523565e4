package org.trellis.processor.front;

import com.sun.source.tree.BlockTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.TreePath;
import com.sun.source.util.Trees;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.lang.model.element.AnnotationMirror;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.util.Elements;
import org.trellis.processor.check.HeadingRules;
import org.trellis.processor.diagnostic.Diagnostics;
import org.trellis.processor.model.Heading;
import org.trellis.processor.model.KernelClass;
import org.trellis.processor.model.Method;
import org.trellis.processor.model.Parameter;

/** Reads the kernels of one class. */
public final class KernelReader {
    /** The package of the annotations. */
    public static final String PACKAGE = "org.trellis.kernel";

    private static final String KERNEL = PACKAGE + ".MeshKernel";
    private static final String FUNCTION = PACKAGE + ".KernelFunction";

    private final Elements elements;
    private final Trees trees;
    private final TypeElement type;
    private final SourcePositions places;
    private final TreePath path;

    /**
     * Creates a reader.
     *
     * @param elements the compiler's elements
     * @param trees    the compiler's trees
     * @param type     the class that holds kernels
     */
    public KernelReader(Elements elements, Trees trees, TypeElement type) {
        this.elements = elements;
        this.trees = trees;
        this.type = type;
        path = trees.getPath(type);
        places = new SourcePositions(trees, path.getCompilationUnit());
    }

    /**
     * Returns where errors in the class go.
     *
     * @return diagnostics that know the class's source
     */
    public Diagnostics diagnostics() {
        return places;
    }

    /**
     * Says whether an error was reported.
     *
     * @return true if so
     */
    public boolean failed() {
        return places.failed();
    }

    /**
     * Reads the class. Errors are reported; methods with errors in their headings are left out.
     *
     * @return its kernels and kernel functions
     */
    public KernelClass read() {
        Map<ExecutableElement, Method> methods = new LinkedHashMap<>();
        List<Heading> headings = new ArrayList<>();
        HeadingReader reader = new HeadingReader(elements, trees, places);
        HeadingRules rules = new HeadingRules(places);
        for (ExecutableElement method : annotated()) {
            Heading heading = reader.read(method, carries(method, KERNEL));
            headings.add(heading);
            if (rules.check(heading)) {
                methods.put(method, rules.method(heading));
            }
        }
        rules.checkNames(headings);
        Map<String, Method> functions = new LinkedHashMap<>();
        methods.forEach((element, method) -> {
            if (!carries(element, KERNEL)) {
                functions.put(method.name(), method);
            }
        });
        List<Method> kernels = new ArrayList<>();
        Map<String, Method> bodies = new LinkedHashMap<>();
        methods.forEach((element, method) -> {
            Method complete = body(element, method, functions);
            if (carries(element, KERNEL)) {
                kernels.add(complete);
            } else {
                bodies.put(complete.name(), complete);
            }
        });
        String packageName = elements.getPackageOf(type).getQualifiedName().toString();
        String name = type.getQualifiedName().toString();
        return new KernelClass(packageName, packageName.isEmpty() ? name : name.substring(packageName.length() + 1),
                isPublic(), kernels, bodies, contracted(methods.keySet()));
    }

    /** Returns the names of the kernels whose annotation allows contraction. */
    private Set<String> contracted(Set<ExecutableElement> methods) {
        Set<String> names = new HashSet<>();
        for (ExecutableElement method : methods) {
            method.getAnnotationMirrors().stream().filter(mirror -> named(mirror, KERNEL))
                    .flatMap(mirror -> elements.getElementValuesWithDefaults(mirror).entrySet().stream())
                    .filter(entry -> entry.getKey().getSimpleName().contentEquals("contract")
                            && Boolean.TRUE.equals(entry.getValue().getValue()))
                    .forEach(_ -> names.add(method.getSimpleName().toString()));
        }
        return names;
    }

    private boolean isPublic() {
        for (javax.lang.model.element.Element around = type; around instanceof TypeElement; around = around
                .getEnclosingElement()) {
            if (!around.getModifiers().contains(Modifier.PUBLIC)) {
                return false;
            }
        }
        return true;
    }

    private List<ExecutableElement> annotated() {
        return type.getEnclosedElements().stream().filter(ExecutableElement.class::isInstance)
                .map(ExecutableElement.class::cast)
                .filter(method -> carries(method, KERNEL) || carries(method, FUNCTION)).toList();
    }

    private static boolean carries(ExecutableElement method, String annotation) {
        return method.getAnnotationMirrors().stream().anyMatch(mirror -> named(mirror, annotation));
    }

    private static boolean named(AnnotationMirror mirror, String annotation) {
        return ((TypeElement) mirror.getAnnotationType().asElement()).getQualifiedName().contentEquals(annotation);
    }

    private Method body(ExecutableElement element, Method method, Map<String, Method> functions) {
        MethodTree tree = trees.getTree(element);
        BlockTree block = tree.getBody();
        if (block == null) {
            return method;
        }
        Scope scope = new Scope(null);
        for (Parameter parameter : method.parameters()) {
            List<Integer> lengths = switch (parameter.rank()) {
                case 0 -> List.of();
                case 1 -> List.of(parameter.components());
                default -> List.of(Math.max(0, parameter.entries()), parameter.components());
            };
            scope.declare(new Symbol(parameter.name(), parameter.type(), parameter.rank(), lengths));
        }
        ExpressionReader expressions = new ExpressionReader(places,
                new ConstantNames(elements, path.getCompilationUnit(), type), functions);
        return new Method(method.name(), method.result(), method.parameters(),
                new StatementReader(places, expressions, method.result()).body(block, scope), method.at());
    }

}
