package org.trellis.processor.front;

import com.sun.source.tree.MethodTree;
import com.sun.source.util.Trees;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import javax.lang.model.element.AnnotationMirror;
import javax.lang.model.element.Element;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.ArrayType;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.Elements;
import org.trellis.processor.model.Access;
import org.trellis.processor.model.Heading;

/** Reads the headings of annotated methods. */
final class HeadingReader {
    private final Elements elements;
    private final Trees trees;
    private final SourcePositions places;

    HeadingReader(Elements elements, Trees trees, SourcePositions places) {
        this.elements = elements;
        this.trees = trees;
        this.places = places;
    }

    Heading read(ExecutableElement method, boolean kernel) {
        MethodTree tree = trees.getTree(method);
        List<Heading.HeadingParameter> parameters = new ArrayList<>();
        for (int i = 0; i < method.getParameters().size(); i++) {
            VariableElement parameter = method.getParameters().get(i);
            parameters.add(new Heading.HeadingParameter(parameter.getSimpleName().toString(),
                    text(parameter.asType()), descriptors(parameter), places.at(tree.getParameters().get(i))));
        }
        return new Heading(method.getSimpleName().toString(), kernel, modifiers(method),
                text(method.getReturnType()), parameters, places.at(tree));
    }

    private static Set<String> modifiers(ExecutableElement method) {
        Set<String> modifiers = new TreeSet<>();
        method.getModifiers().forEach(modifier -> modifiers.add(modifier.toString().toLowerCase(Locale.ROOT)));
        if (!method.getTypeParameters().isEmpty()) {
            modifiers.add("generic");
        }
        if (method.isVarArgs()) {
            modifiers.add("varargs");
        }
        if (!method.getThrownTypes().isEmpty()) {
            modifiers.add("throws");
        }
        for (Element around = method; around != null; around = around.getEnclosingElement()) {
            if (around.getModifiers().contains(Modifier.PRIVATE)) {
                modifiers.add("hidden");
            }
        }
        return modifiers;
    }

    private static String text(TypeMirror type) {
        // Without type annotations, which toString would add.
        return type instanceof ArrayType array
                ? text(array.getComponentType()) + "[]"
                : type.getKind().isPrimitive() ? type.getKind().toString().toLowerCase(Locale.ROOT) : type.toString();
    }

    private List<Heading.Descriptor> descriptors(VariableElement parameter) {
        List<Heading.Descriptor> found = new ArrayList<>();
        for (AnnotationMirror mirror : parameter.getAnnotationMirrors()) {
            String name = ((TypeElement) mirror.getAnnotationType().asElement()).getQualifiedName().toString();
            for (Access access : Access.values()) {
                if (access != Access.HELPER && name.equals(KernelReader.PACKAGE + "." + access.annotation())) {
                    Map<String, Object> values = new HashMap<>();
                    elements.getElementValuesWithDefaults(mirror).forEach((element, value) -> values
                            .put(element.getSimpleName().toString(), value.getValue()));
                    found.add(new Heading.Descriptor(access, values));
                }
            }
        }
        return found;
    }
}
