/* SPDX-License-Identifier: Apache-2.0 */
/* Curses up and down, canvas to cells, bytes to keys. */
#include "config.h"

#include "ui/widget/term.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>

#include <ncurses.h>

#include "base/clock.h"
#include "base/sig.h"
#include "ui/widget/term_known.h"
#include "ui/widget/term_link.h"

#define OUT_BUFFER_B    ((size_t)64 << 10)
#define PASTE_B         ((size_t)64 << 10)
#define OSC52_B         ((size_t)70000) /* bytes of text; terminals cut or refuse more */
#define ESC_DELAY_MS    25
#define DOUBLE_CLICK_MS 400
#define AHEAD_MAX       64   /* keys typed ahead while something took long */
#define KEY_PASTE_BEGIN 2001 /* codes given to curses for sequences it does not know */
#define KEY_PASTE_END   2002
#define KEY_SYNC        2003 /* and the next four: the terminal's answer 0 to 4 */
#define SYNC_ANSWERS    5
#define KEY_ALT         2010 /* and the next nine: Alt with a digit from 0 on */
#define ANSWER_MS       2000 /* in which an answer may come, in pieces on a slow link */
#define LATE_MS         100  /* to wait for it at the end */

static struct {
    bool open;
    SCREEN *screen;
    FILE *out, *in;
    char *out_buffer;
    struct termios modes;
    struct canvas *shown;
    bool all; /* draw every row */
    attr_t attr[N_ROLES];
    short pair[N_ROLES];
    const struct theme *theme;
    bool mono, mouse, modern, lost, links;
    bool sync;             /* frames are shown at once: what comes in pieces is put together first */
    int64_t sync_until_ms; /* an answer may come until then; 0: none is expected */
    struct buf pasted;
    struct key_event ahead[AHEAD_MAX];
    size_t n_ahead;
    struct key_event last_press, release; /* release: comes next, unless its code is K_NONE */
    int64_t last_press_ms;
} T;

/* ---- time ---- */

static int64_t now_ms(void)
{
    return clock_ns(CLOCK_MONOTONIC) / 1000000;
}

/* ---- attributes ---- */

static attr_t curses_attr(unsigned ra)
{
    return (ra & RA_BOLD ? A_BOLD : 0) | (ra & RA_DIM ? A_DIM : 0) | (ra & RA_UNDERLINE ? A_UNDERLINE : 0) |
           (ra & RA_REVERSE ? A_REVERSE : 0);
}

bool term_is_mono(void)
{
    return T.mono || COLORS < 8 || !strcmp(T.theme->name, theme_mono.name);
}

static void set_roles(void)
{
    int colors = term_is_mono() ? 0 : COLORS;
    for (int r = 0; r < N_ROLES; r++) {
        const struct role_attr *a = &T.theme->roles[r];
        short fg = colors >= 256 ? a->fg256 : colors >= 8 ? a->fg8 : -1, bg = colors >= 256 ? a->bg256 : -1;
        unsigned ra = colors >= 256 ? a->attrs256 : colors >= 8 ? a->attrs8 : a->attrs_mono;
        T.attr[r] = curses_attr(ra);
        T.pair[r] = 0;
        /*
         * The default colour is a pair, too: going back to it is then a change of colour, not of all
         * attributes.
         */
        if (colors >= 8 && init_pair((short)(r + 1), fg >= 0 ? fg : -1, bg >= 0 ? bg : -1) == OK)
            T.pair[r] = (short)(r + 1);
    }
}

static void start_colors(void)
{
    const char *no = getenv("NO_COLOR");
    if (no && *no)
        T.mono = true;
    if (!T.mono && (!has_colors() || start_color() == ERR || use_default_colors() == ERR))
        T.mono = true;
    set_roles();
}

bool term_has_links(void)
{
    return T.open && T.links;
}

void term_set_theme(const struct theme *t)
{
    T.theme = t;
    if (T.open) {
        set_roles();
        T.all = true;
    }
}

/* ---- up and down ---- */

static void write_all(const char *p, size_t n)
{
    term_put(fileno(T.out), p, n);
}

/* A capability without its padding ("$<5>"). */
static void add_capability(struct buf *b, const char *name)
{
    const char *s = tigetstr(name);
    if (!s || s == (char *)-1)
        return;
    while (*s) {
        const char *pad = strstr(s, "$<");
        if (!pad) {
            buf_puts(b, s);
            return;
        }
        buf_add(b, (struct str){ s, (size_t)(pad - s) });
        const char *end = strchr(pad, '>');
        if (!end)
            return;
        s = end + 1;
    }
}

/* Prepare the bytes that restore the terminal when there is no time for curses. */
static void prepare_fatal(void)
{
    struct buf b;
    buf_init(&b, 512);
    if (T.modern)
        buf_puts(&b, "\033[?1006l\033[?1002l\033[?1000l\033[?2004l");
    add_capability(&b, "sgr0");
    add_capability(&b, "rmkx");
    add_capability(&b, "cnorm");
    add_capability(&b, "rmcup");
    sig_fatal_terminal(b.p, b.n, &T.modes);
    buf_done(&b);
}

static bool has_capability(const char *name)
{
    const char *s = tigetstr(name);
    return s && s != (char *)-1;
}

static int open_streams(struct err *e)
{
    int in = dup(STDIN_FILENO), out = dup(STDOUT_FILENO);
    T.in = in >= 0 ? fdopen(in, "r") : NULL;
    T.out = out >= 0 ? fdopen(out, "w") : NULL;
    T.out_buffer = malloc(OUT_BUFFER_B);
    if (!T.in || !T.out || !T.out_buffer)
        return err_sys(e, errno, "the terminal cannot be opened");
    setvbuf(T.out, T.out_buffer, _IOFBF, OUT_BUFFER_B);
    return 0;
}

static void set_modes(void)
{
    raw();
    noecho();
    nonl();
    intrflush(stdscr, FALSE);
    keypad(stdscr, TRUE);
    meta(stdscr, TRUE);
    nodelay(stdscr, TRUE);
    typeahead(-1);
    curs_set(0);
    define_key("\033[200~", KEY_PASTE_BEGIN);
    define_key("\033[201~", KEY_PASTE_END);
    define_key("\033[Z", KEY_BTAB);
    for (int i = 0; i < 10; i++)
        define_key((char[]){ '\033', (char)('0' + i), '\0' }, KEY_ALT + i);
    mouseinterval(0);
    idcok(stdscr, T.links ? FALSE : TRUE); /* cells that are moved would take their links along */
}

static void paste_mode(bool on)
{
    if (T.modern)
        write_all(on ? "\033[?2004h" : "\033[?2004l", 8);
}

/*
 * Ask whether the terminal knows synchronised output (DECRQM of mode 2026; the answer is a "key"). Until it
 * comes a sequence may take longer: of one that is torn apart the rest would be keys.
 */
static void ask_sync(void)
{
    char answer[16];
    if (!T.modern || strncmp(term_name(), "screen", 6) == 0)
        return;
    for (int i = 0; i < SYNC_ANSWERS; i++) {
        snprintf(answer, sizeof answer, "\033[?2026;%d$y", i);
        define_key(answer, KEY_SYNC + i);
    }
    set_escdelay(ANSWER_MS / 4);
    T.sync_until_ms = now_ms() + ANSWER_MS;
    write_all("\033[?2026$p", 9);
}

/* 1 and 2 say that the mode is known and can be changed. */
static void take_sync(int answer)
{
    T.sync = answer == 1 || answer == 2;
    T.sync_until_ms = 0;
    set_escdelay(ESC_DELAY_MS);
}

static void sync_due(void)
{
    if (T.sync_until_ms && now_ms() > T.sync_until_ms)
        take_sync(0);
}

/* An answer that comes after the end would be typed at the shell. */
static void drop_late_answer(void)
{
    struct pollfd f = { .fd = fileno(T.in), .events = POLLIN };
    if (T.sync_until_ms && poll(&f, 1, LATE_MS) > 0)
        tcflush(f.fd, TCIFLUSH);
}

int term_open(const struct term_opts *o, struct err *e)
{
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
        return err_set(e, ERR_IO, "this needs a terminal, use 'npuscope report'");
    memset(&T, 0, sizeof(T));
    buf_init(&T.pasted, PASTE_B);
    T.theme = o->theme ? o->theme : &theme_default;
    T.mono = o->mono;
    if (tcgetattr(STDIN_FILENO, &T.modes))
        return err_sys(e, errno, "the terminal does not answer");
    if (open_streams(e))
        return e->code;
    set_escdelay(ESC_DELAY_MS);
    T.screen = newterm(NULL, T.out, T.in);
    if (!T.screen || !has_capability("cup")) {
        const char *t = term_name();
        struct termios before = T.modes;
        term_close();
        tcsetattr(STDIN_FILENO, TCSADRAIN, &before); /* newterm() has changed them already */
        return err_set(e, ERR_IO,
                       *t ? "the terminal type '%s' is not known or cannot place a cursor (TERM), "
                            "use 'npuscope report'"
                          : "TERM is not set%s; set it, or use 'npuscope report'",
                       t);
    }
    T.open = true;
    T.modern = has_capability("kmous");
    T.links = term_known_links(o->links, has_capability("Hls"));
    set_modes();
    start_colors();
    prepare_fatal();
    paste_mode(true);
    term_mouse(term_known_mouse(o->mouse));
    term_resize();
    ask_sync();
    return 0;
}

void term_close(void)
{
    if (T.open) {
        paste_mode(false);
        term_mouse(false);
        drop_late_answer();
        curs_set(1);
        endwin();
        sig_fatal_terminal(NULL, 0, NULL);
    }
    if (T.screen)
        delscreen(T.screen);
    if (T.out)
        fclose(T.out);
    if (T.in)
        fclose(T.in);
    free(T.out_buffer);
    canvas_free(T.shown);
    buf_done(&T.pasted);
    memset(&T, 0, sizeof(T));
}

void term_size(int *rows, int *cols)
{
    struct winsize w;
    if (!ioctl(fileno(T.out), TIOCGWINSZ, &w) && w.ws_row && w.ws_col) {
        *rows = w.ws_row;
        *cols = w.ws_col;
    } else {
        *rows = LINES;
        *cols = COLS;
    }
}

void term_resize(void)
{
    int rows, cols;
    term_size(&rows, &cols);
    if (rows != LINES || cols != COLS)
        resizeterm(rows, cols);
    term_redraw();
}

void term_redraw(void)
{
    T.all = true;
    clearok(curscr, TRUE);
}

/* ---- showing ---- */

/*
 * One cell for curses. A code point whose width the C library sees otherwise would shift the line: it becomes
 * dots.
 */
static void to_cchar(const char *t, int w, enum role r, cchar_t *out)
{
    wchar_t wc[CCHARW_MAX + 1];
    size_t n = strlen(t), k = 0;
    for (size_t i = 0; i < n && k < CCHARW_MAX;) {
        uint32_t cp;
        i += text_decode(t + i, n - i, &cp);
        wc[k++] = (wchar_t)cp;
    }
    if (!k)
        wc[k++] = L' ';
    if (wc[0] >= 128 && wcwidth(wc[0]) != w) {
        wc[0] = L'.';
        k = 1;
    }
    while (k > 1 && wcwidth(wc[k - 1]) != 0)
        k--;
    wc[k] = L'\0';
    if (setcchar(out, wc, T.attr[r], T.pair[r], NULL) == ERR)
        setcchar(out, L".", T.attr[r], T.pair[r], NULL);
}

/* The colour of a blank cannot be seen: it takes the colour of the cell before, which saves a change. */
static enum role seen_role(const char *t, enum role r, enum role before)
{
    const attr_t shows = A_REVERSE | A_UNDERLINE;
    return t[0] == ' ' && !t[1] && !(T.attr[r] & shows) && !(T.attr[before] & shows) ? before : r;
}

static int cells_of_row(const struct canvas *c, int y, int cols, cchar_t *row)
{
    enum role before = ROLE_TEXT;
    int n = 0;
    for (int x = 0; x < cols; x++) {
        enum role r;
        const char *t = canvas_cell(c, y, x, &r);
        bool wide = x + 1 < cols && !canvas_cell(c, y, x + 1, NULL)[0];
        if (!t[0])
            continue;
        before = seen_role(t, r, before);
        to_cchar(t, wide ? 2 : 1, before, &row[n]);
        wchar_t wc[CCHARW_MAX + 1];
        attr_t a;
        short p;
        bool dotted = wide && getcchar(&row[n], wc, &a, &p, NULL) == 0 && wc[0] == L'.';
        n++;
        if (dotted) {
            row[n] = row[n - 1];
            n++;
        }
    }
    return n;
}

static int keep_shown(const struct canvas *c, struct err *e)
{
    int rows = canvas_rows(c), cols = canvas_cols(c);
    if (T.shown && canvas_rows(T.shown) == rows && canvas_cols(T.shown) == cols)
        return 0;
    T.all = true;
    if (T.shown)
        return canvas_resize(T.shown, rows, cols, e);
    return canvas_new(&T.shown, rows, cols, 0, e);
}

/* Where put_attr() goes; vid_puts() takes no argument for it. */
static struct buf *attr_to;

static int put_attr(int ch)
{
    buf_addc(attr_to, (char)ch);
    return ch;
}

static void add_attr(enum role r, struct buf *b)
{
    attr_to = b;
    vid_puts(r == N_ROLES ? A_NORMAL : T.attr[r], r == N_ROLES ? 0 : T.pair[r], NULL, put_attr);
}

static bool is_row_shown(const struct canvas *c, int y)
{
    return !T.all && canvas_row_same(c, T.shown, y) && (!T.links || canvas_links_same(c, T.shown, y));
}

static void show_links(const struct canvas *c, bool rest)
{
    struct buf b;
    const struct term_link_out o = { &b, add_attr };
    buf_init(&b, OUT_BUFFER_B);
    if (rest)
        term_link_rest(c, &o);
    else
        term_link_frame(c, T.shown, T.all, &o);
    if (!buf_failed(&b))
        write_all(b.p, b.n);
    buf_done(&b);
}

void term_rested(const struct canvas *c)
{
    if (T.open && term_link_waits())
        show_links(c, true);
}

/* Send what curses has changed. */
static bool show(const struct canvas *c)
{
    if (T.sync)
        write_all("\033[?2026h", 8);
    bool ok = refresh() != ERR && fflush(T.out) != EOF;
    if (T.links)
        show_links(c, false);
    if (T.sync)
        write_all("\033[?2026l", 8);
    return ok;
}

int term_flush(const struct canvas *c, int cy, int cx, struct err *e)
{
    if (keep_shown(c, e))
        return e->code;
    int rows = canvas_rows(c), cols = canvas_cols(c);
    cchar_t *row = calloc((size_t)cols + 2, sizeof(*row));
    if (!row)
        return err_nomem(e);
    for (int y = 0; y < rows && y < LINES; y++)
        if (T.all || !canvas_row_same(c, T.shown, y))
            mvadd_wchnstr(y, 0, row, cells_of_row(c, y, cols < COLS ? cols : COLS, row));
    free(row);
    curs_set(cy >= 0 ? 1 : 0);
    leaveok(stdscr, cy < 0); /* where it is hidden it may stay where it is */
    if (cy >= 0)
        move(cy < LINES ? cy : LINES - 1, cx < COLS ? cx : COLS - 1);
    if (!show(c))
        return err_sys(e, errno ? errno : EIO, "the terminal takes no more output");
    for (int y = 0; y < rows && y < LINES; y++)
        if (!is_row_shown(c, y))
            canvas_copy_row(T.shown, c, y);
    T.all = false;
    return 0;
}

void term_show_line(const struct canvas *line, int y)
{
    int cols = canvas_cols(line);
    cchar_t *row = T.open && y < LINES ? calloc((size_t)cols + 2, sizeof *row) : NULL;
    if (!row)
        return;
    int n = cells_of_row(line, 0, cols < COLS ? cols : COLS, row);
    mvadd_wchnstr(y, 0, row, n);
    free(row);
    T.all = true; /* the last canvas is not what this row shows */
    refresh();
    fflush(T.out);
}

/* ---- keys ---- */

/* Next byte of a sequence that has begun: it may take a moment on a slow link. -1: none came. */
static int next_byte(void)
{
    int ch = getch();
    if (ch == ERR) {
        struct pollfd f = { .fd = fileno(T.in), .events = POLLIN };
        if (poll(&f, 1, ESC_DELAY_MS) > 0)
            ch = getch();
    }
    return ch;
}

/* A UTF-8 sequence that begins with this byte; whatever the locale is. */
static uint32_t decode_key(int first)
{
    char t[4] = { (char)first, 0, 0, 0 };
    size_t want = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 1, n = 1;
    for (; n < want; n++) {
        int ch = next_byte();
        if (ch < 0x80 || ch > 0xBF) {
            if (ch != ERR)
                ungetch(ch);
            return K_UNKNOWN;
        }
        t[n] = (char)ch;
    }
    uint32_t cp;
    if (want == 1 || text_decode(t, n, &cp) != n)
        return K_UNKNOWN;
    return cp;
}

static const struct {
    int curses;
    uint32_t code;
} special[] = {
    { KEY_UP, K_UP },        { KEY_DOWN, K_DOWN }, { KEY_LEFT, K_LEFT },  { KEY_RIGHT, K_RIGHT },
    { KEY_HOME, K_HOME },    { KEY_END, K_END },   { KEY_PPAGE, K_PGUP }, { KEY_NPAGE, K_PGDN },
    { KEY_IC, K_INS },       { KEY_DC, K_DEL },    { KEY_BTAB, K_BTAB },  { KEY_BACKSPACE, K_BACKSPACE },
    { KEY_ENTER, K_ENTER },  { KEY_SF, K_DOWN },   { KEY_SR, K_UP },      { KEY_SLEFT, K_LEFT },
    { KEY_SRIGHT, K_RIGHT }, { KEY_FIND, K_HOME }, { KEY_SELECT, K_END }, { KEY_A1, K_HOME },
    { KEY_C1, K_END },       { KEY_A3, K_PGUP },   { KEY_C3, K_PGDN },
};

static uint32_t special_key(int ch)
{
    if (ch >= KEY_F(1) && ch <= KEY_F(12))
        return K_F1 + (uint32_t)(ch - KEY_F(1));
    if (ch >= KEY_ALT && ch < KEY_ALT + 10)
        return K_ALT_0 + (uint32_t)(ch - KEY_ALT);
    for (size_t i = 0; i < ARRAY_LEN(special); i++)
        if (special[i].curses == ch)
            return special[i].code;
    return K_UNKNOWN;
}

size_t term_key_bytes(uint32_t code, char *buf, size_t n)
{
    int curses = code >= K_F1 && code <= K_F12 ? KEY_F(1) + (int)(code - K_F1) : 0;
    if (code < 0x110000 && n >= 4)
        return text_encode(code, buf);
    if (code >= K_ALT_0 && code <= K_ALT_9 && n >= 4)
        return (size_t)snprintf(buf, n, "\033%u", code - K_ALT_0);
    for (size_t i = 0; i < ARRAY_LEN(special) && !curses; i++)
        if (special[i].code == code)
            curses = special[i].curses;
    char *bytes = curses ? keybound(curses, 0) : NULL;
    size_t k = bytes ? strlen(bytes) : 0;
    k = k <= n ? k : 0;
    if (k)
        memcpy(buf, bytes, k);
    free(bytes);
    return k;
}

static void read_paste(void)
{
    buf_clear(&T.pasted);
    for (;;) {
        int ch = next_byte();
        if (ch == ERR || ch == KEY_PASTE_END)
            return;
        if (ch < 256 && T.pasted.n < PASTE_B)
            buf_addc(&T.pasted, (char)ch);
    }
}

static bool same_cell_soon(const struct key_event *k, int64_t now)
{
    return T.last_press_ms && now - T.last_press_ms <= DOUBLE_CLICK_MS && T.last_press.y == k->y &&
           T.last_press.x == k->x;
}

/* Curses makes one event of a press and a release that come together, as slow links send them. */
#define CLICKS (BUTTON1_CLICKED | BUTTON1_DOUBLE_CLICKED | BUTTON1_TRIPLE_CLICKED)

static void take_press(struct key_event *k, mmask_t state)
{
    int64_t now = now_ms();
    bool twice = (state & CLICKS & ~(mmask_t)BUTTON1_CLICKED) || same_cell_soon(k, now);
    k->mouse = twice ? MOUSE_DOUBLE : MOUSE_PRESS;
    T.last_press = *k;
    T.last_press_ms = twice ? 0 : now;
    if (state & CLICKS) {
        T.release = *k;
        T.release.mouse = MOUSE_RELEASE;
    }
}

static bool read_mouse(struct key_event *k)
{
    MEVENT m;
    if (getmouse(&m) != OK)
        return false;
    k->code = K_MOUSE;
    k->y = m.y;
    k->x = m.x;
    k->shift = (m.bstate & BUTTON_SHIFT) != 0;
    k->ctrl = (m.bstate & BUTTON_CTRL) != 0;
    if (m.bstate & BUTTON4_PRESSED) {
        k->mouse = MOUSE_WHEEL_UP;
    } else if (m.bstate & BUTTON5_PRESSED) {
        k->mouse = MOUSE_WHEEL_DOWN;
    } else if (m.bstate & (BUTTON1_PRESSED | CLICKS)) {
        take_press(k, m.bstate);
    } else if (m.bstate & BUTTON1_RELEASED) {
        k->mouse = MOUSE_RELEASE;
    } else if (m.bstate & REPORT_MOUSE_POSITION) {
        k->mouse = MOUSE_DRAG;
    } else {
        return false;
    }
    return true;
}

int term_fd(void)
{
    return fileno(T.in);
}

bool term_lost(void)
{
    return T.lost;
}

static void look_for_hangup(void)
{
    struct pollfd f = { .fd = fileno(T.in), .events = POLLIN };
    int waiting = 0;
    if (poll(&f, 1, 0) <= 0)
        return;
    /* Readable, yet curses has nothing and nothing waits: end of file. */
    if ((f.revents & (POLLHUP | POLLERR | POLLNVAL)) || (ioctl(f.fd, FIONREAD, &waiting) == 0 && !waiting))
        T.lost = true;
}

static bool read_key(struct key_event *k)
{
    if (T.release.code != K_NONE) {
        *k = T.release;
        T.release.code = K_NONE;
        return true;
    }
    sync_due();
    for (;;) {
        memset(k, 0, sizeof(*k));
        int ch = getch();
        if (ch == ERR) {
            look_for_hangup();
            return false;
        }
        if (ch == KEY_RESIZE)
            continue;
        if (ch == KEY_MOUSE) {
            if (read_mouse(k))
                return true;
            continue;
        }
        if (ch >= KEY_SYNC && ch < KEY_SYNC + SYNC_ANSWERS) {
            take_sync(ch - KEY_SYNC);
            continue;
        }
        if (ch == KEY_PASTE_BEGIN) {
            read_paste();
            k->code = K_PASTE;
            return true;
        }
        if (ch == 8)
            k->code = K_BACKSPACE;
        else if (ch == 10)
            k->code = K_ENTER;
        else if (ch < 128)
            k->code = (uint32_t)ch;
        else
            k->code = ch < 256 ? decode_key(ch) : special_key(ch);
        if (k->code != K_NONE)
            return true;
    }
}

bool term_read(struct key_event *k)
{
    if (!T.n_ahead)
        return read_key(k);
    *k = T.ahead[0];
    memmove(T.ahead, T.ahead + 1, --T.n_ahead * sizeof T.ahead[0]);
    return true;
}

bool term_stop_asked(void)
{
    struct key_event k;
    /* No key is read after a paste, because only one pasted text is kept. */
    while (T.open && T.n_ahead < AHEAD_MAX && (!T.n_ahead || T.ahead[T.n_ahead - 1].code != K_PASTE) &&
           read_key(&k)) {
        if (k.code == K_ESC || k.code == K_CTRL('C')) {
            T.n_ahead = 0;
            return true;
        }
        T.ahead[T.n_ahead++] = k;
    }
    return false;
}

bool term_keys_wait(void)
{
    return T.n_ahead > 0;
}

bool term_is_open(void)
{
    return T.open;
}

struct str term_pasted(void)
{
    return buf_str(&T.pasted);
}

/* ---- mouse, suspend, clipboard ---- */

void term_mouse(bool on)
{
    if (!T.open || !T.modern || on == T.mouse)
        return;
    T.mouse = on;
    mousemask(on ? ALL_MOUSE_EVENTS | REPORT_MOUSE_POSITION : 0, NULL);
    fflush(T.out);
    if (on)
        write_all("\033[?1002h", 8); /* motion while a button is down */
    else
        write_all("\033[?1002l", 8);
}

bool term_mouse_on(void)
{
    return T.mouse;
}

void term_suspend(void)
{
    struct sigaction dfl, old;
    bool mouse = T.mouse;
    memset(&dfl, 0, sizeof(dfl));
    dfl.sa_handler = SIG_DFL;
    paste_mode(false);
    term_mouse(false);
    curs_set(1);
    endwin();
    sigaction(SIGTSTP, &dfl, &old);
    kill(0, SIGTSTP); /* the whole process group: a script that started us stops as well */
    sigaction(SIGTSTP, &old, NULL);
    refresh(); /* back into program mode */
    set_modes();
    paste_mode(true);
    term_mouse(mouse);
    term_resize();
}

bool term_clipboard(struct str text)
{
    if (!T.open || !term_known_clipboard() || text.n > OSC52_B)
        return false;
    struct buf b;
    buf_init(&b, OSC52_B * 2);
    buf_puts(&b, "\033]52;c;");
    text_base64(text, &b);
    buf_addc(&b, '\a');
    bool whole = !buf_failed(&b);
    if (whole) {
        fflush(T.out);
        write_all(b.p, b.n);
    }
    buf_done(&b);
    return whole;
}

const char *term_library(void)
{
    return curses_version();
}
