#pragma once
#include <vips/vips.h>

// libvips takes its options as variadic pairs ended by NULL, which Swift cannot spell.

typedef int (*imaging_load)(void *, size_t, VipsImage **);

// FAIL_ON_ERROR includes truncated input. Sequential: the header is read now, the pixels once, top to bottom.
#define IMAGING_LOAD "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", VIPS_FAIL_ON_ERROR

static inline int imaging_jpegload(void *bytes, size_t count, VipsImage **out) {
    return vips_jpegload_buffer(bytes, count, out, IMAGING_LOAD, NULL);
}

static inline int imaging_pngload(void *bytes, size_t count, VipsImage **out) {
    return vips_pngload_buffer(bytes, count, out, IMAGING_LOAD, NULL);
}

static inline int imaging_webpload(void *bytes, size_t count, VipsImage **out) {
    return vips_webpload_buffer(bytes, count, out, IMAGING_LOAD, "n", -1, NULL);
}

static inline int imaging_gifload(void *bytes, size_t count, VipsImage **out) {
    return vips_gifload_buffer(bytes, count, out, IMAGING_LOAD, "n", -1, NULL);
}

static inline int imaging_heifload(void *bytes, size_t count, VipsImage **out) {
    return vips_heifload_buffer(bytes, count, out, IMAGING_LOAD, NULL);
}

static inline int imaging_autorot(VipsImage *in, VipsImage **out) {
    return vips_autorot(in, out, NULL);
}

static inline int imaging_copy(VipsImage *in, VipsImage **out) {
    return vips_copy(in, out, NULL);
}

static inline int imaging_icc_to_srgb(VipsImage *in, VipsImage **out) {
    return vips_icc_transform(in, out, "srgb", "embedded", TRUE, "depth", 8, NULL);
}

static inline int imaging_colourspace(VipsImage *in, VipsImage **out, VipsInterpretation space) {
    return vips_colourspace(in, out, space, NULL);
}

static inline int imaging_crop(VipsImage *in, VipsImage **out, int width, int height) {
    return vips_crop(in, out, 0, 0, width, height, NULL);
}

static inline int imaging_flatten_on_white(VipsImage *in, VipsImage **out) {
    VipsArrayDouble *white = vips_array_double_newv(1, 255.0);
    int result = vips_flatten(in, out, "background", white, NULL);
    vips_area_unref(VIPS_AREA(white));
    return result;
}

static inline int imaging_thumbnail(VipsImage *in, VipsImage **out, int width, int height, VipsInteresting crop) {
    return vips_thumbnail_image(
        in, out, width, "height", height, "size", VIPS_SIZE_DOWN, "crop", crop, "no_rotate", TRUE, NULL);
}

static inline int imaging_jpegsave(VipsImage *in, void **bytes, size_t *count, int quality) {
    return vips_jpegsave_buffer(in, bytes, count, "Q", quality, "optimize_coding", TRUE, "strip", TRUE, NULL);
}

static inline int imaging_pngsave(VipsImage *in, void **bytes, size_t *count, gboolean palette) {
    VipsForeignPngFilter filter = palette ? VIPS_FOREIGN_PNG_FILTER_NONE : VIPS_FOREIGN_PNG_FILTER_ALL;
    return vips_pngsave_buffer(
        in, bytes, count, "palette", palette, "dither", 0.0, "filter", filter, "strip", TRUE, NULL);
}

static inline int imaging_webpsave(VipsImage *in, void **bytes, size_t *count, int quality, gboolean lossless) {
    return vips_webpsave_buffer(in, bytes, count, "Q", quality, "lossless", lossless, "strip", TRUE, NULL);
}

// What comes from a GIF has few colours already; spreading them would only add noise.
static inline int imaging_gifsave(VipsImage *in, void **bytes, size_t *count) {
    return vips_gifsave_buffer(in, bytes, count, "reuse", TRUE, "dither", 0.0, "effort", 4, "strip", TRUE, NULL);
}

static void imaging_ignore_log(const char *domain, GLogLevelFlags level, const char *message, void *data) {}

// The library's warnings are about what strangers sent; they must not stand as plain text between log lines.
static inline void imaging_silence(void) {
    g_log_set_handler("VIPS", G_LOG_LEVEL_MASK, imaging_ignore_log, NULL);
}

static inline void imaging_unref(VipsImage *image) {
    g_object_unref(image);
}
