/** Makes the web site from the documents and the types that programs name. */
package org.trellis.site;
