package org.trellis.processor.front;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ImportTree;
import java.util.Optional;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.util.Elements;

/**
 * Finds constants by name: fields of the kernel's class and the classes around it, of classes that are imported, in the
 * same package, in {@code java.lang} or named in full, and those imported statically.
 */
final class ConstantNames {
    private final Elements elements;
    private final CompilationUnitTree unit;
    private final TypeElement type;

    ConstantNames(Elements elements, CompilationUnitTree unit, TypeElement type) {
        this.elements = elements;
        this.unit = unit;
        this.type = type;
    }

    /** Returns the field that a simple name means. */
    Optional<VariableElement> field(String name) {
        for (Element around = type; around instanceof TypeElement owner; around = around.getEnclosingElement()) {
            Optional<VariableElement> own = member(owner, name);
            if (own.isPresent()) {
                return own;
            }
        }
        for (ImportTree line : unit.getImports()) {
            String imported = line.getQualifiedIdentifier().toString();
            int dot = imported.lastIndexOf('.');
            String last = imported.substring(dot + 1);
            if (line.isStatic() && (last.equals(name) || "*".equals(last))) {
                TypeElement owner = elements.getTypeElement(imported.substring(0, dot));
                Optional<VariableElement> field = owner == null ? Optional.empty() : member(owner, name);
                if (field.isPresent()) {
                    return field;
                }
            }
        }
        return Optional.empty();
    }

    /** Returns the field that a name with a qualifier means. */
    Optional<VariableElement> field(String qualifier, String name) {
        return type(qualifier).flatMap(owner -> member(owner, name));
    }

    /** Says whether a qualifier means a class, for example {@code java.lang.Math}. */
    boolean isType(String qualifier, String qualifiedName) {
        return type(qualifier).filter(found -> found.getQualifiedName().contentEquals(qualifiedName)).isPresent();
    }

    /** Says whether a method's simple name is imported statically from a class. */
    boolean importsStatically(String method, String qualifiedName) {
        for (ImportTree line : unit.getImports()) {
            String imported = line.getQualifiedIdentifier().toString();
            if (line.isStatic() && (imported.equals(qualifiedName + "." + method)
                    || imported.equals(qualifiedName + ".*"))) {
                return true;
            }
        }
        return false;
    }

    private Optional<TypeElement> type(String name) {
        int dot = name.indexOf('.');
        String first = dot < 0 ? name : name.substring(0, dot);
        Optional<TypeElement> found = simple(first);
        while (found.isPresent() && dot >= 0) {
            int next = name.indexOf('.', dot + 1);
            String inner = next < 0 ? name.substring(dot + 1) : name.substring(dot + 1, next);
            found = nested(found.get(), inner);
            dot = next;
        }
        return found.or(() -> Optional.ofNullable(elements.getTypeElement(name)));
    }

    private Optional<TypeElement> simple(String name) {
        for (Element around = type; around instanceof TypeElement owner; around = around.getEnclosingElement()) {
            if (owner.getSimpleName().contentEquals(name)) {
                return Optional.of(owner);
            }
            Optional<TypeElement> nested = nested(owner, name);
            if (nested.isPresent()) {
                return nested;
            }
        }
        for (ImportTree line : unit.getImports()) {
            String imported = line.getQualifiedIdentifier().toString();
            if (!line.isStatic() && imported.endsWith("." + name)) {
                return Optional.ofNullable(elements.getTypeElement(imported));
            }
        }
        String home = elements.getPackageOf(type).getQualifiedName().toString();
        TypeElement neighbour = elements.getTypeElement(home.isEmpty() ? name : home + "." + name);
        return Optional.ofNullable(neighbour != null ? neighbour : elements.getTypeElement("java.lang." + name))
                .or(() -> onDemand(name));
    }

    private Optional<TypeElement> onDemand(String name) {
        for (ImportTree line : unit.getImports()) {
            String imported = line.getQualifiedIdentifier().toString();
            if (!line.isStatic() && imported.endsWith(".*")) {
                TypeElement found = elements.getTypeElement(imported.substring(0, imported.length() - 1) + name);
                if (found != null) {
                    return Optional.of(found);
                }
            }
        }
        return Optional.empty();
    }

    private static Optional<TypeElement> nested(TypeElement owner, String name) {
        for (Element inner : owner.getEnclosedElements()) {
            if (inner instanceof TypeElement found && found.getSimpleName().contentEquals(name)) {
                return Optional.of(found);
            }
        }
        return Optional.empty();
    }

    private Optional<VariableElement> member(TypeElement owner, String name) {
        for (Element inner : elements.getAllMembers(owner)) {
            if (inner.getKind() == ElementKind.FIELD && inner.getSimpleName().contentEquals(name)
                    && inner.getModifiers().contains(Modifier.STATIC)) {
                return Optional.of((VariableElement) inner);
            }
        }
        return Optional.empty();
    }
}
