/** Where generated files go. */
package org.trellis.processor.output;
