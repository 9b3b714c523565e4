package org.trellis.processor.output;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.io.Writer;
import javax.annotation.processing.Filer;
import javax.lang.model.element.Element;
import javax.tools.StandardLocation;

/** Hands generated files to the compiler, with the class that they come from, so that it can build incrementally. */
public final class CompilerFiles implements GeneratedFiles {
    private final Filer filer;
    private final Element origin;

    /**
     * Creates an output.
     *
     * @param filer  the compiler's
     * @param origin the class that everything is generated from
     */
    public CompilerFiles(Filer filer, Element origin) {
        this.filer = filer;
        this.origin = origin;
    }

    @Override
    public void source(String packageName, String className, String source) {
        String name = packageName.isEmpty() ? className : packageName + "." + className;
        try (Writer writer = filer.createSourceFile(name, origin).openWriter()) {
            writer.write(source);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the generated class " + name, e);
        }
    }

    @Override
    public void classFile(String packageName, String className, byte[] bytes) {
        // A resource, not a class: the compiler would want to read it, and need the Vector API's module for that.
        try (OutputStream stream = filer
                .createResource(StandardLocation.CLASS_OUTPUT, packageName, className + ".class", origin)
                .openOutputStream()) {
            stream.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the generated class " + packageName + "." + className, e);
        }
    }
}
