"""English."""

from __future__ import annotations

from lab.screens.web.languages.locale import Locale, table

ENGLISH = Locale(
    code="en",
    decimal=".",
    commands={
        "back": "Back",
        "delete": "Delete",
        "important": "Important",
        "forward": "Forward",
        "reply": "Reply",
        "retweet": "Repost",
        "like": "Like",
        "share": "Share",
        "menu": "Menu",
        "search": "Search",
        "send": "Send",
        "add": "Add",
        "remove": "Remove",
        "close": "Close",
        "edit": "Edit",
        "save": "Save",
        "open": "Open",
        "new": "New",
        "home": "Home",
        "settings": "Settings",
        "help": "Help",
        "info": "About",
        "warning": "Report",
        "user": "Profile",
        "mail": "Mail",
        "calendar": "Calendar",
        "clock": "History",
        "cart": "Add to cart",
        "star": "Favourites",
        "bookmark": "Bookmark",
        "download": "Download",
        "upload": "Upload",
        "print": "Print",
        "copy": "Copy",
        "paste": "Paste",
        "cut": "Cut",
        "undo": "Undo",
        "redo": "Redo",
        "refresh": "Refresh",
        "play": "Play",
        "pause": "Pause",
        "stop": "Stop",
        "next": "Next",
        "previous": "Previous",
        "more": "More",
        "filter": "Filter",
        "sort": "Sort",
        "lock": "Lock",
        "unlock": "Unlock",
        "eye": "Show",
        "link": "Copy link",
        "attach": "Attach file",
        "image": "Insert picture",
        "folder": "New folder",
        "file": "New document",
        "chart": "Reports",
        "list": "List",
        "grid": "Grid",
        "location": "Find on map",
        "phone": "Call",
        "chat": "Messages",
        "bell": "Notifications",
        "flag": "Flag",
        "zoom_in": "Zoom in",
        "zoom_out": "Zoom out",
        "expand": "Expand all",
        "collapse": "Collapse all",
        "video": "Video call",
        "music": "Playlists",
    },
    verbs=table(
        """OK; Cancel; Apply; Submit; Continue; Accept; Decline; Sign in; Sign out; Register; Log in; Reset; Confirm;
        Yes; No; Done; Try again; Skip; Learn more; View details; Subscribe; Follow; Export; Import; Merge; Publish;
        Preview; Archive; Restore; Rename; Move to...; Select all; Clear; Update; Install; Check for updates; Buy now;
        Pay; Place order; Book; Invite people; Get started; Start free trial; Compare; Add row; Add field; Run; Deploy;
        Discard draft; Save as...; Mark as read; Reply to all; Show more; Not now; Close account; Change password"""
    ),
    labels=table(
        """First name; Last name; Full name; Email; Email address; Password; Repeat password; Phone number; Street;
        City; Postcode; Country; Company; Job title; Date of birth; Website; Username; Subject; Message; Comment;
        Quantity; Amount; Price from; Price to; Start date; End date; Category; Priority; Due date; Assigned to; Notes;
        Description; Tags; Card number; Name on card; Security code; Delivery address; Reference; Language; Time zone;
        Department; Floor; Room; Number of guests; Passport number; Vehicle; Mileage; Keywords; Title; Author"""
    ),
    settings=table(
        """Send me a copy; Remember me; Dark mode; Email notifications; Push notifications; Automatic updates;
        Share usage data; Show line numbers; Wrap long lines; Play sounds; Use location; Two-step verification;
        Keep me signed in; I agree to the terms; Subscribe to the newsletter; Show hidden files; Large text;
        Reduce motion; Sync over Wi-Fi only; Start at login; Airplane mode; Bluetooth; Night light; Private profile;
        Gift wrap; Express delivery; Only in stock; Free shipping; Vegetarian; Wheelchair access; Spell check"""
    ),
    things=table(
        """Desk lamp; Running shoes; Coffee grinder; Wireless mouse; Garden chair; Winter jacket; Bread knife;
        Travel mug; Notebook; Mountain bike; Phone case; Yoga mat; Ceramic bowl; Office chair; Board game; Rain coat;
        Annual report; Budget 2024; Meeting notes; Project plan; Invoice; Contract; Holiday photos; Shopping list;
        Release notes; Road map; Customer survey; Price list; Training slides; Time sheet; Inventory; Press kit;
        Power drill; Bookshelf; Alarm clock; Headphones; Water bottle; Tent; Frying pan; Keyboard; Monitor; Backpack"""
    ),
    headings=table(
        """Name; Date; Size; Type; Status; Owner; Price; Quantity; Total; City; Country; Email; Role; Due; Priority;
        Customer; Order; Product; Category; Modified; Created; Version; Rating; Department; ID; Score; Amount"""
    ),
    statuses=table(
        """Open; Closed; Pending; Active; Paid; Overdue; Draft; New; In stock; Sold out; Shipped; Failed; Done; Review;
        Approved; Rejected; Online; Away; Low; High; Urgent; Beta; Free; Pro; Admin; Guest; Running; Stopped"""
    ),
    folders=table(
        """Inbox; Sent; Drafts; Spam; Archive; Trash; Starred; Documents; Downloads; Pictures; Music; Videos; Desktop;
        Projects; Work; Family; Travel; Receipts; Home; Public; Templates; Shared with me; Recent; Clients; Taxes"""
    ),
    menus=table("File; Edit; View; Insert; Format; Tools; Window; Help; Search; Go; Bookmarks; Table; Run; Terminal"),
    firsts=table(
        """Emma; Liam; Olivia; Noah; Ava; James; Sophia; Lucas; Mia; Henry; Amelia; Jack; Grace; Oscar; Ruth; Aisha;
        Ravi; Mei; Carlos; Ingrid; Tom; Nora; Samuel; Priya; Hugo; Clara; Ben; Zoe; Omar; Lena"""
    ),
    lasts=table(
        """Smith; Johnson; Brown; Taylor; Wilson; Clark; Evans; Walker; Hughes; Patel; Garcia; Murphy; Kelly; Nguyen;
        Robinson; Wright; Thompson; Khan; Lewis; Baker; Cooper; Morgan; Bell; Ward; Fisher; Grant; O'Neill; Ito"""
    ),
    cities=table(
        """London; Bristol; Leeds; Dublin; Boston; Chicago; Austin; Denver; Toronto; Sydney; Auckland; Cape Town;
        Glasgow; Cardiff; Seattle; Portland; Oxford; York; Perth; Halifax"""
    ),
    days=table("Mon; Tue; Wed; Thu; Fri; Sat; Sun"),
    months=table("January; February; March; April; May; June; July; August; September; October; November; December"),
    phrases=table(
        """No results found; 3 items selected; Last saved a minute ago; You have unread messages; Step 2 of 4;
        All changes saved; Forgot your password?; Terms and conditions; Privacy policy; Contact us; Welcome back;
        Your cart is empty; Sort by; Show all; Page not found; Connection lost; This field is required;
        Please enter a valid address; At least 8 characters; Optional; Free returns within 30 days; Free delivery;
        Recently viewed; Related articles; Frequently asked questions; Quick links; Order summary; Your account;
        Team calendar; Upcoming events; Latest news; Most popular; Storage almost full; Uploading 2 files;
        We never share your data; Double-click to open; Not enough rights; Try another search; Good morning"""
    ),
    sentences=table(
        """The meeting in {city} has been moved to Thursday, so please tell the others.; {name} has shared a folder with
        you.; Your order of {n} items will arrive on Friday before noon.; Please send me the numbers for {city} by the
        end of the week.; We have looked at {n} offers and think the second one is the best.; The new {thing} is lighter
        than the old one and lasts twice as long.; If you did not ask for this message, you can ignore it.; {name} will
        be on leave until the {n}th and cannot answer.; Every file is kept for thirty days before it is removed for
        good.; Are you sure that you want to remove {n} items?; The train from {city} was late again, but we made it in
        time.; I have added two slides about costs; have a look when you find the time.; You can change this later in
        your settings.; Thank you for your help with the survey, {name}.; The weather in {city} will stay dry until
        Sunday.; More than {n} people took part in the race this year.; Do you still need the room on the second
        floor?; A copy of the contract is attached to this letter.; Lunch at noon?; The update fixes {n} faults and
        makes the start faster.; See the table below for opening hours.; Our shop in {city} is closed on Mondays.;
        {name} wrote the first version in 1987 and it is still in use.; Changes take effect after the next start."""
    ),
)
