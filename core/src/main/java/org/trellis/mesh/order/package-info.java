/**
 * Orders of the elements of sets that keep neighbours close: graphs made of mapping tables, and renumberings of their
 * vertices. Pure functions on arrays; nothing here knows a mesh.
 */
package org.trellis.mesh.order;
