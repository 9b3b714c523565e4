package org.trellis.processor.compile;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.ArrayType;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.Elements;

/**
 * Sources that declare what generated loops use of {@code org.trellis.kernel}, made of the types that the user's
 * compilation sees. So the nested compilation needs no class path, and works while {@code core} itself is compiled.
 */
final class ApiStubs {
    private static final String PACKAGE = "org.trellis.kernel";
    private static final Set<String> TYPES = Set.of("Generated", "GeneratedLoops", "IncrementMode", "LoopArguments",
            "LoopRange", "LoopShape", "RangeLoop", "Raster");

    private final Elements elements;

    ApiStubs(Elements elements) {
        this.elements = elements;
    }

    /** Returns the sources by qualified name. */
    Map<String, String> sources() {
        Map<String, String> sources = new LinkedHashMap<>();
        for (String name : TYPES) {
            TypeElement type = elements.getTypeElement(PACKAGE + "." + name);
            if (type == null) {
                throw new IllegalStateException(PACKAGE + "." + name
                        + " is not there: trellis-core of this version has to be on the class or module path");
            }
            sources.put(PACKAGE + "." + name, "package " + PACKAGE + ";\n" + declaration(type));
        }
        return sources;
    }

    private static String declaration(TypeElement type) {
        String name = type.getSimpleName().toString();
        return switch (type.getKind()) {
            case ENUM -> "public enum " + name + " { " + type.getEnclosedElements().stream()
                    .filter(inner -> inner.getKind() == ElementKind.ENUM_CONSTANT)
                    .map(inner -> inner.getSimpleName().toString()).collect(Collectors.joining(", ")) + " }\n";
            case ANNOTATION_TYPE -> "public @interface " + name + " { String value(); }\n";
            case INTERFACE -> "public interface " + name + " {\n" + members(type, true) + "}\n";
            default -> "public final class " + name + " {\n" + members(type, false) + "}\n";
        };
    }

    private static String members(TypeElement type, boolean abstractOnes) {
        StringBuilder text = new StringBuilder();
        for (Element member : type.getEnclosedElements()) {
            if (!member.getModifiers().contains(Modifier.PUBLIC)) {
                continue;
            }
            if (member instanceof VariableElement field && field.getConstantValue() instanceof Integer value) {
                text.append("public static final int ").append(field.getSimpleName()).append(" = ").append(value)
                        .append(";\n");
            }
            if (member instanceof ExecutableElement method && method.getKind() == ElementKind.METHOD
                    && usable(method)) {
                text.append("public ").append(method.getModifiers().contains(Modifier.STATIC) ? "static " : "")
                        .append(method.getReturnType()).append(' ').append(method.getSimpleName())
                        .append(method.getParameters().stream()
                                .map(parameter -> parameter.asType() + " " + parameter.getSimpleName())
                                .collect(Collectors.joining(", ", "(", ")")))
                        .append(abstractOnes ? ";\n" : " { throw null; }\n");
            }
        }
        return text.toString();
    }

    private static boolean usable(ExecutableElement method) {
        return method.getTypeParameters().isEmpty() && usable(method.getReturnType())
                && method.getParameters().stream().map(VariableElement::asType).allMatch(ApiStubs::usable);
    }

    private static boolean usable(TypeMirror type) {
        if (type instanceof ArrayType array) {
            return usable(array.getComponentType());
        }
        String name = type.toString();
        List<String> known = List.of("void", "java.lang.Object", "java.lang.invoke.MethodHandles.Lookup");
        return type.getKind().isPrimitive() || known.contains(name)
                || (name.startsWith(PACKAGE + ".") && TYPES.contains(name.substring(PACKAGE.length() + 1)));
    }
}
